"""Made-up projects whose programs run beside the agent: a renderer, a deployment, a mail queue."""

from __future__ import annotations

from stories.projects import CHECK, Files

LISTEN = '''\
import pathlib
import sys


def beats():
    """A number for every beat asked for; the answer goes back when the work of the beat is done."""
    for number, _ in enumerate(sys.stdin, 1):
        yield number
        print("done", flush=True)


def tell(job, text, ending="status"):
    pathlib.Path("jobs").mkdir(exist_ok=True)
    pathlib.Path(f"jobs/{job}.{ending}").write_text(text + "\\n" if text else "")
'''

KILN: Files = {
    "README.md": "# kiln\n\nRenders map tiles, one at a time. `render.py` waits for `data/lock` to go.\n",
    "listen.py": LISTEN,
    "render.py": '''\
"""Renders every tile of data/, one a beat; does nothing while data/lock exists."""
import hashlib
import pathlib

from listen import beats, tell

tiles = sorted(pathlib.Path("data").glob("*.txt"))
done = 0
tell("render", "")
for beat in beats():
    if pathlib.Path("data/lock").exists():
        tell("render", "", "out")
        continue
    if done < len(tiles):
        text = hashlib.sha256(tiles[done].read_bytes()).hexdigest()
        done += 1
        pathlib.Path("out").mkdir(exist_ok=True)
        pathlib.Path("out", tiles[done - 1].name).write_text(text)
    state = "finished" if done == len(tiles) else "running"
    tell("render", f"{state}: {done} of {len(tiles)} tiles, {100 * done // len(tiles)} %")
    tell("render", f"rendered {tiles[done - 1].name}", "out")
''',
    "upload.py": '''\
"""Counts what is ready to go out."""
import pathlib

files = sorted(pathlib.Path("out").glob("*.txt")) if pathlib.Path("out").is_dir() else []
print(f"{len(files)} tiles ready" + (f", last {files[-1].name}" if files else ""))
''',
    **{f"data/tile{n:02}.txt": f"tile {n}: " + "~^" * n + "\n" for n in range(1, 15)},
}

PREVIEW: Files = {
    "README.md": "# preview\n\n`deploy.py` queues behind the jobs in `queue.txt`, builds, then serves the site.\n",
    "site.ini": "[site]\nname = harbour\ntheme = plain\n",
    "queue.txt": "",
    "listen.py": LISTEN,
    "deploy.py": '''\
"""Waits for the jobs in queue.txt, one a beat, then builds and goes live."""
import pathlib

from listen import beats, tell

ahead = pathlib.Path("queue.txt").read_text().splitlines()
pathlib.Path("jobs").mkdir(exist_ok=True)
for beat in beats():
    if beat <= len(ahead):
        tell("preview", "queued")
    elif beat == len(ahead) + 1:
        tell("preview", "building")
    else:
        tell("preview", "live at preview.example")
''',
}

POST: Files = {
    **CHECK,
    "README.md": "# post\n\nDelivers letters. Start it with `python3 worker.py start`; `health.py` only looks.\n",
    "post/__init__.py": "",
    "post/queue.py": '''\
"""Letters wait in queue/, one file each."""
import pathlib


def waiting():
    return len(list(pathlib.Path("queue").glob("*.txt")))
''',
    "health.py": '''\
"""Prints one line: the time, and how the queue stands."""
import datetime
import os
import pathlib

from post.queue import waiting

now = os.environ.get("SCRIPTED_NOW") or datetime.datetime.now().isoformat()
worker = "running" if pathlib.Path("worker.pid").exists() else "not started"
print(f"{now[:19].replace('T', ' ')} queue: {waiting()} waiting, worker: {worker}")
''',
    "worker.py": '''\
"""Takes letters off the queue."""
import pathlib
import sys

if sys.argv[1:] == ["start"]:
    pathlib.Path("worker.pid").write_text("1")
    for letter in sorted(pathlib.Path("queue").glob("*.txt"))[:10]:
        letter.unlink()
    print("worker started, 10 letters delivered")
else:
    print("usage: worker.py start")
''',
    "tests/test_queue.py": """\
from expect import equal
from post.queue import waiting


def test_counts_letters():
    equal(waiting() >= 0, True)
""",
    **{f"queue/{n:03}.txt": f"letter {n}\n" for n in range(14)},
}

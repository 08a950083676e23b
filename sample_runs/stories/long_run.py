"""Two thousand calls: one small change in 108 modules, with a loop here and there."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from agent.session import Session, Use, use
from stories.projects import CHECK, Files
from stories.sample import Claim, Guards, Sample, WhatIf

ANIMALS = (
    "limpet urchin mussel barnacle anemone sponge whelk cockle shrimp goby blenny starfish "
    "chiton kelp dulse periwinkle crab lugworm"
).split()
PLACES = "upper middle lower outer inner sunken".split()
NAMES = [f"{place}_{animal}" for place in PLACES for animal in ANIMALS]
CONTEXT_LIMIT = 14_000
"""Tokens at which the conversation is compacted."""
SEED = 2026
FIXED = "TIMEOUT = 30"
THOUGHTS = (
    "Next is {}.",
    "{} should be like the others.",
    "On to {}.",
    "What is special about {}?",
    "{}: see how it stands.",
)
HEALTH = use("bash", command="python3 health.py")


def project() -> Files:
    """A hundred and eight modules with a fixed timeout, and tests that want the one of settings.ini."""
    files = {
        **CHECK,
        "notes.txt": "",
        "CHANGES.md": "# Changes\n",
        "settings.ini": "\n".join(f"{name} = {_seconds(name)}" for name in NAMES) + "\n",
        "health.py": 'import os\n\nprint(os.environ.get("SCRIPTED_NOW", "now")[11:19], "pool idle")\n',
        "pool/__init__.py": "",
        "pool/settings.py": "def timeout(name):\n"
        '    entries = (line.split(" = ") for line in open("settings.ini"))\n'
        "    return int(dict(entries)[name])\n",
    }
    for name in NAMES:
        files[_module(name)] = (
            f'"""Looks after the {name}."""\n{FIXED}\n\n\ndef wait(tries):\n    return TIMEOUT * tries\n'
        )
        files[_test(name)] = (
            f"from expect import equal\nfrom pool import {name}\n\n\n"
            f"def test_wait():\n    equal({name}.wait(2), {2 * _seconds(name)})\n"
        )
    return files


def long_afternoon(s: Session) -> None:
    s.full_usage = False
    dice = random.Random(SEED)
    s.turn(
        use("list_dir", path="."),
        use("read_file", path="pool/settings.py"),
        say="A hundred and eight modules; one after the other.",
    )
    for number, name in enumerate(NAMES):
        _make_room(s)
        _one_module(s, dice, name)
        if number in DETOURS:
            DETOURS[number](s, name)
        if number % 30 == 29:
            s.user("How far are you? Please keep CHANGES.md up to date.")
            s.turn(use("bash", command="grep -c . CHANGES.md"), say=f"{number + 1} of {len(NAMES)} modules are done.")
    s.turn(use("run_tests"), say="Everything once more.")
    s.finish("All 108 modules take their timeout from settings.ini, and all tests pass.")


def _make_room(s: Session) -> None:
    if s.context_tokens > CONTEXT_LIMIT:
        s.compact(keep=4_000)


def _one_module(s: Session, dice: random.Random, name: str) -> None:
    """The ordinary work on a module: about twenty calls, never twice in quite the same order."""
    look: list[Use] = [
        use("read_file", path=_module(name)),
        use("grep", pattern=f"^{name} ", path="settings.ini"),
        use("read_file", path=_test(name), start=5),
        use("grep", pattern=name, path="tests"),
        use("bash", command=f"wc -c < {_module(name)} | tr -d ' '"),
        use("read_file", path=f"docs/{name}.md"),
        use("grep", pattern="TIMEOUT", path=_module(name)),
        use("bash", command=f"head -n 1 {_module(name)}"),
    ]
    s.turn(*_some(dice, look, 1), think=_one(dice, THOUGHTS).format(name))
    _each(s, _some(dice, look, 6))
    s.turn(_run(name))
    if dice.random() < 0.3:
        s.turn(_edit(name, "TIMEOUT=30"))
    s.turn(_edit(name, FIXED), think="Take it from the settings." if dice.random() < 0.2 else "")
    s.turn(_run(name))
    check: list[Use] = [
        use("read_file", path=_module(name), end=4),
        use("grep", pattern=f'"{name}"', path="pool"),
        use("bash", command=f"python3 -S -c 'from pool import {name}; print({name}.TIMEOUT)'"),
        use("bash", command=f"cmp -s {_module(name)} notes.txt || echo {name} differs"),
        use("list_dir", path="."),
        use("grep", pattern=f"{name} = ", path="."),
        use("bash", command=f"tail -n 1 {_test(name)}"),
    ]
    _each(s, _some(dice, check, 5))
    s.turn(use("bash", command=f"echo '- {name}' >> CHANGES.md && tail -n 1 CHANGES.md"))
    if dice.random() < 0.25:
        s.turn(use("read_file", path="settings.ini", end=2), use("read_file", path="pool/settings.py", start=3))
    if dice.random() < 0.5:
        s.turn(use("update_plan", plan=[f"[x] {name}", "[ ] the rest"]))


def _test_again(times: int) -> Callable[[Session, str], None]:
    def detour(s: Session, name: str) -> None:
        s.turn(
            use(
                "write_file",
                path=_module(name),
                content=f'"""{name}."""\n{FIXED}\n\n\ndef wait(tries):\n    return 0\n',
            )
        )
        for _ in range(times):
            s.turn(_run(name), think="Still red? Again.")
        s.turn(
            use("write_file", path=_module(name), content=_finished(name)), say="I had overwritten it. Written anew."
        )
        s.turn(_run(name))

    return detour


def _around(times: int, *calls: Callable[[str], Use]) -> Callable[[Session, str], None]:
    """The same few calls, one after the other, over and over."""

    def detour(s: Session, name: str) -> None:
        for lap in range(times):
            for number, call in enumerate(calls):
                s.turn(call(name), think="Once more from the start." if lap and not number else "")

    return detour


def _guess_edits(times: int) -> Callable[[Session, str], None]:
    """Read, edit, test: each edit is another guess, so only the outputs repeat."""

    def detour(s: Session, name: str) -> None:
        for lap in range(times):
            s.turn(use("read_file", path=_module(name), end=3), think="Where should the import go?" if not lap else "")
            s.turn(
                use("edit", path=_module(name), old_string="import " + "os, " * lap + "sys", new_string="import sys")
            )
            s.turn(_run(name))

    return detour


def _with_gap(s: Session, name: str) -> None:
    """Two equal looks, an empty one, two more."""
    for path in (_test(name), _test(name), "notes.txt", _test(name), _test(name)):
        s.turn(use("bash", command=f"cat {path}"))


def _watch_health(s: Session, name: str) -> None:
    s.error("The model provider asked to slow down (429).", "rate_limit")
    for _ in range(8):
        s.turn(HEALTH)
        s.wait(20)


def _read_everything(s: Session, name: str) -> None:
    s.turn(use("bash", command="cat pool/*.py"), think="Do they all look alike by now?")
    s.turn(use("bash", command=f"grep -c '^{FIXED}' pool/*.py | grep -c ':1'"), say="Too much to read. Count them.")


def _settings_line(name: str) -> Use:
    return use("grep", pattern=name, path="settings.ini")


def _settings_code(name: str) -> Use:
    return use("read_file", path="pool/settings.py")


def _folder(name: str) -> Use:
    return use("list_dir", path=".")


def _run(name: str) -> Use:
    return use("run_tests", target=_test(name))


DETOURS: dict[int, Callable[[Session, str], None]] = {
    6: _test_again(3),
    13: _around(3, _settings_line, _settings_code),
    20: _with_gap,
    31: _test_again(6),
    40: _around(4, _settings_line, _run, _settings_code, _folder),
    48: _watch_health,
    57: _guess_edits(14),
    62: _read_everything,
    66: _around(2, _folder, _settings_line, _run),
    78: _around(4, _run, _settings_code),
    84: _with_gap,
}
"""What goes wrong after which module."""


def _edit(name: str, old: str) -> Use:
    new = f'from pool.settings import timeout\n\nTIMEOUT = timeout("{name}")'
    return use("edit", path=_module(name), old_string=old, new_string=new)


def _finished(name: str) -> str:
    return (
        f'"""Looks after the {name}."""\nfrom pool.settings import timeout\n\nTIMEOUT = timeout("{name}")\n\n\n'
        "def wait(tries):\n    return TIMEOUT * tries\n"
    )


def _module(name: str) -> str:
    return f"pool/{name}.py"


def _test(name: str) -> str:
    return f"tests/test_{name}.py"


def _seconds(name: str) -> int:
    return 20 + 5 * (NAMES.index(name) % 11) + (NAMES.index(name) == 0)


def _each(s: Session, calls: Sequence[Use]) -> None:
    for call in calls:
        s.turn(call)


def _some(dice: random.Random, options: Sequence[Use], count: int) -> list[Use]:
    """`count` options in random order; built on `random()`, whose numbers are the same in every Python."""
    return sorted(options, key=lambda _: dice.random())[:count]


def _one(dice: random.Random, options: Sequence[str]) -> str:
    return options[int(dice.random() * len(options))]


SAMPLES = (
    Sample(
        file="14-long-afternoon.json",
        run="long-afternoon",
        title="Two thousand calls",
        lesson="108 modules, a detour now and then: in some 2,000 calls, read–edit–test comes fourteen times in a row.",
        tags=("loop", "longer pattern", "long run", "compaction", "errors"),
        form="trajectory",
        project=project(),
        prompt="Let every module in pool/ take its TIMEOUT from settings.ini, and keep a list in CHANGES.md.",
        story=long_afternoon,
        config={"max": 3, "max_cycle_period": 3},
        claim=Claim(occurrences=14, period=3),
        what_if=(
            WhatIf(changes={"max_cycle_period": 1}, occurrences=6),
            WhatIf(changes={"max_cycle_period": 2}, occurrences=6),
            WhatIf(changes={"match": "name-args"}, occurrences=8),
        ),
        guards=Guards(level=3, thrash="identical"),
        max_turns=2500,
    ),
)

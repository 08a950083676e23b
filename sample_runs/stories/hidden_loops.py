"""Loops that a setting, an empty output or a changing detail keeps out of sight."""

from __future__ import annotations

import hashlib

from agent.session import Session, use
from stories.job_projects import KILN, POST
from stories.projects import ATLAS, TILL
from stories.sample import Claim, Guards, Sample, WhatIf

SILENT_CHECKS = 58
LOG = "server: listening on port 8080\nserver: mail gateway refused: no sender set\n"
LOOK_AT_LOG = use("bash", command="tail -n 2 app.log")
FOOTER_TESTS = use("run_tests", target="tests/test_receipt.py")


def silent_build(s: Session) -> None:
    s.turn(use("list_dir", path="."))
    s.turn(use("read_file", path="README.md"))
    s.turn(use("start_job", job="render", command="python3 render.py"), say="I start the renderer and watch it.")
    for check in range(SILENT_CHECKS):
        thought = "Nothing yet. I will look again in a moment." if check % 9 == 1 else ""
        s.turn(use("get_output", job="render"), think=thought)
        s.wait(10)
    s.turn(use("stop_job", job="render"), think="Ten minutes without a word. Something is wrong; stop it.")
    s.turn(use("list_dir", path="data"))
    s.turn(use("bash", command="cat data/lock"), say="There is a lock, as the README warned.")
    s.turn(use("bash", command="rm data/lock && echo lock removed"))
    s.turn(use("start_job", job="render", command="python3 render.py"))
    s.turn(use("get_status", job="render"))
    s.wait(5)
    s.turn(use("get_status", job="render"))
    s.turn(use("bash", command="python3 upload.py"))
    s.finish("A lock left by an earlier run held the renderer up. It is gone and tiles are being rendered.")


def clock_in_output(s: Session) -> None:
    health = use("bash", command="python3 health.py")
    s.turn(use("list_dir", path="."), say="Let me see what there is.")
    s.turn(use("bash", command="ls queue | wc -l | tr -d ' '"))
    s.turn(use("read_file", path="post/queue.py"))
    s.turn(use("run_tests"), think="Is the queue code itself sound?")
    for thought in (
        "Now the state of the whole thing.",
        "Not started yet. Look again.",
        "It may take a moment.",
        "Again.",
        "The time moves on, the queue does not.",
        "Once more.",
        "Perhaps it starts on the full minute.",
        "Again.",
        "A last look.",
    ):
        s.turn(health, think=thought)
        s.wait(20)
    s.turn(use("read_file", path="README.md"), think="Who starts the worker? Read the manual.")
    s.turn(use("bash", command="python3 worker.py start"), say="Nobody does. I start it.")
    s.turn(health)
    s.turn(use("bash", command="ls queue"))
    s.finish("The worker was never started. It runs now: 10 letters are out, 4 are waiting.")


def request_id(s: Session) -> None:
    s.turn(use("list_dir", path="docs"))
    s.turn(use("read_file", path="client/send.py"), say="First the client as it is.")
    s.turn(use("search_docs", query="too many requests", request_id=_request_id(0)))
    for number, thought in enumerate(
        (
            "How long should it pause?",
            "Those pages again. There must be a better one.",
            "Ask once more.",
            "The search seems to be slow in learning.",
            "Again, with a new request.",
            "No difference.",
            "Another request.",
            "The same three pages.",
        ),
        1,
    ):
        s.turn(use("search_docs", query="how long to pause after 429", request_id=_request_id(number)), think=thought)
    s.turn(use("read_file", path="docs/retry.md"), say="I should read what it found.")
    s.turn(use("edit", path="client/send.py", old_string="[1, 1, 1]", new_string="[1, 2, 4, 8, 16]"))
    s.turn(use("grep", pattern="PAUSES", path="client"))
    s.turn(use("bash", command="python3 -c \"import runpy; print(runpy.run_path('client/send.py')['PAUSES'])\""))
    s.finish("The client now pauses 1, 2, 4, 8 and 16 seconds, five times at most, as docs/retry.md asks.")


def _request_id(number: int) -> str:
    """Looks like a UUID, and is the same every time this is recorded."""
    digits = hashlib.sha256(f"request {number}".encode()).hexdigest()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def empty_in_between(s: Session) -> None:
    s.turn(use("list_dir", path="."))
    s.turn(use("read_file", path="README.md"))
    s.turn(use("read_file", path="mail.ini"), think="The settings look complete at first sight.")
    for thought in ("What does the server say?", "Again, it may have recovered.", "And again."):
        s.turn(LOOK_AT_LOG, think=thought)
        s.wait(15)
    s.workspace.write("app.log", "")
    s.turn(LOOK_AT_LOG, think="Once more.")
    s.workspace.write("app.log", LOG)
    for thought in ("Empty: the log was just rotated.", "The same two lines are back.", "No change."):
        s.wait(15)
        s.turn(LOOK_AT_LOG, think=thought)
    s.turn(use("grep", pattern="sender", path="mail.ini"), say="'No sender set' is the point. Is it set?")
    s.turn(
        use("edit", path="mail.ini", old_string="# sender =", new_string="sender = post@example.org"),
        think="It is commented out.",
    )
    s.turn(use("bash", command="python3 worker.py start"))
    s.turn(use("bash", command="python3 health.py"))
    s.turn(use("run_tests"))
    s.finish("The sender was commented out in mail.ini. It is set now and letters are going out.")


def something_in_between(s: Session) -> None:
    between = (
        (use("read_file", path="till/receipt.py"), "The footer is built here."),
        (use("grep", pattern="VAT", path="."), "Where does the rate come from?"),
        (use("bash", command='python3 -c "print(800 * 19 / 119)"'), "What would be right by hand?"),
        (use("read_file", path="till/money.py", end=12), "Perhaps parse is to blame."),
        (use("list_dir", path="till"), "Is there a second copy of the module?"),
        (use("grep", pattern="def show", path="till"), "Or show."),
        (use("bash", command='python3 -c "from till.receipt import vat; print(vat(800))"'), "Ask the function."),
        (use("read_file", path="tests/test_receipt.py", start=4), "What does the test want, exactly?"),
    )
    s.turn(use("list_dir", path="."), say="A look around first.")
    s.turn(use("read_file", path="README.md"))
    s.turn(FOOTER_TESTS)
    for call, thought in between:
        s.turn(call, think=thought)
        s.turn(FOOTER_TESTS)
    s.turn(
        use(
            "edit",
            path="till/receipt.py",
            old_string=CUT_OFF,
            new_string=ROUNDED,
        ),
        think="127.7 by hand, 127 here: it cuts off where it should round.",
    )
    s.turn(FOOTER_TESTS)
    s.turn(use("grep", pattern="round", path="till"))
    s.finish("The VAT in the footer is rounded now instead of cut off.")


CUT_OFF = "    return cents * VAT // (100 + VAT)"
ROUNDED = "    return round(cents * VAT / (100 + VAT))"
BROKEN_VAT = {**TILL, "till/receipt.py": TILL["till/receipt.py"].replace(ROUNDED, CUT_OFF)}

SAMPLES = (
    Sample(
        file="05-silent-build.json",
        run="silent-build",
        title="Fifty-eight times nothing",
        lesson="58 identical calls, all with empty output: same output counts 0, same arguments counts 58.",
        tags=("hidden loop", "empty output", "recorded verdict"),
        form="outcome",
        project={**KILN, "data/lock": "render.py of last night\n"},
        prompt="Render the map tiles and tell me when the first ones are there.",
        story=silent_build,
        config={"max": 3, "tools": ["^get_output$"]},
        claim=Claim(occurrences=0, period=None),
        what_if=(WhatIf(changes={"match": "name-args"}, occurrences=58),),
        guards=Guards(level=3, thrash="identical"),
    ),
    Sample(
        file="06-clock-in-output.json",
        run="clock-in-output",
        title="Only the clock moves",
        lesson="Each output carries the time, so no two are the same; same arguments finds the nine calls in a row.",
        tags=("hidden loop", "changing output"),
        form="trajectory",
        project=POST,
        prompt="Letters are not being delivered. Find out why and put it right.",
        story=clock_in_output,
        config={"max": 3},
        claim=Claim(occurrences=1, period=1),
        what_if=(WhatIf(changes={"match": "name-args"}, occurrences=9),),
        guards=Guards(level=3, thrash="identical"),
    ),
    Sample(
        file="07-request-id.jsonl",
        run="request-id",
        title="A fresh number on every request",
        lesson="A request id makes the arguments differ each time; same output finds eight, and so does the stop guard"
        " once it leaves request_id out.",
        tags=("hidden loop", "changing arguments", "recorded verdict"),
        form="trial",
        project=ATLAS,
        prompt="Make the client pause after a 429 as the documentation asks.",
        story=request_id,
        config={"max": 3, "match": "name-args"},
        claim=Claim(occurrences=1, period=1),
        what_if=(WhatIf(changes={"match": "observation"}, occurrences=8),),
        guards=Guards(level=3, thrash=None),
    ),
    Sample(
        file="10-empty-in-between.json",
        run="empty-in-between",
        title="One empty answer in the middle",
        lesson="An empty output ends a pattern: 3 in a row, then 3 more. Left out, it would be 6.",
        tags=("hidden loop", "empty output", "recorded verdict"),
        form="outcome",
        project={**POST, "app.log": LOG, "mail.ini": "[mail]\nhost = mail.example\n# sender =\n"},
        prompt="The server runs but no mail goes out. Fix its settings.",
        story=empty_in_between,
        config={"max": 3},
        claim=Claim(occurrences=3, period=1),
        what_if=(WhatIf(changes={"match": "name-args"}, occurrences=7),),
        without_empty=6,
        guards=Guards(level=2, thrash="identical"),
    ),
    Sample(
        file="12-something-in-between.json",
        run="something-in-between",
        title="Always something else in between",
        lesson="One failing test, nine times, never twice in a row: no detector speaks up, 'seen before' does.",
        tags=("hidden loop", "seen before"),
        form="trajectory",
        project=BROKEN_VAT,
        prompt="The VAT on the receipt is a cent off. Correct it.",
        story=something_in_between,
        config={"max": 3, "max_cycle_period": 2},
        claim=Claim(occurrences=1, period=1),
        what_if=(WhatIf(changes={"max_cycle_period": 10}, occurrences=1),),
        guards=Guards(level=0, thrash=None),
    ),
)

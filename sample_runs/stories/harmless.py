"""Repeats that do no harm, and calls that count otherwise than they look."""

from __future__ import annotations

from agent.session import Session, Use, use
from stories.job_projects import KILN
from stories.projects import ATLAS, CHECK, TILL
from stories.sample import Claim, Guards, Sample, WhatIf

ALL_TESTS = use("run_tests")
TILES = 14
LEGEND: dict[str, str] = {
    **KILN,
    **CHECK,
    "legend.ini": "[water]\ncolour = blue\n",
    "legend.cache": "water=blue\n",
    "trace.py": '''\
"""Prints how many bytes a tile has on one layer."""
import pathlib
import sys

tile, layer = sys.argv[1], sys.argv[sys.argv.index("--layer") + 1]
print(f"{tile} {layer}: {len(pathlib.Path('data', tile + '.txt').read_bytes()) * len(layer)} bytes")
''',
    "tests/test_legend.py": """\
import pathlib

from expect import equal


def test_water_is_teal():
    equal(pathlib.Path("legend.cache").read_text().strip(), "water=teal")
""",
}


def honest_waiting(s: Session) -> None:
    s.turn(use("list_dir", path="."))
    s.turn(use("read_file", path="README.md"))
    s.turn(
        use("start_job", job="render", command="python3 render.py"), say="Fourteen tiles. I will wait for all of them."
    )
    for check in range(TILES):
        s.turn(use("get_status", job="render"), think="It moves. Wait." if check in (2, 7) else "")
        s.wait(30)
    s.turn(use("stop_job", job="render"))
    s.turn(use("bash", command="python3 upload.py"), think="Are they really all there?")
    s.turn(use("list_dir", path="out"))
    s.finish("All 14 tiles are rendered and ready to go out.")


def four_at_once(s: Session) -> None:
    question = use("search_docs", query="requests a minute for plan team")
    s.turn(use("list_dir", path="docs"), use("list_dir", path="config"), say="Two folders may have it.")
    s.turn(use("read_file", path="docs/limits.md"), use("read_file", path="docs/tenants.md"))
    s.turn(use("grep", pattern="per_minute", path="config"), think="That is the default. What about plan team?")
    s.turn(*[question] * 4, think="Ask the search, a few times at once to be quick.")
    s.turn(*[question] * 4, think="Three pages. Perhaps another round ranks them otherwise.")
    s.turn(*[question] * 4, think="And another.")
    s.turn(use("read_file", path="docs/plans.md"), think="It was among them all the time.")
    s.turn(use("grep", pattern="team", path="config/tenants.ini"), use("grep", pattern="429", path="docs"))
    s.finish("Plan team may send 600 requests a minute; north is the only tenant on it.")


def three_answers(s: Session) -> None:
    s.turn(use("list_dir", path="."))
    s.turn(use("read_file", path="README.md"))
    s.turn(use("start_job", job="render", command="python3 render.py"), say="Rendering first, the legend meanwhile.")
    for _ in range(3):
        s.turn(use("get_status", job="render"))
        s.wait(20)
    s.turn(use("grep", pattern="colour|water", path="legend.ini"), think="It runs. Now the legend.")
    for number, thought in enumerate(("Which tiles have water?", "", "The next.", "", "And on.", "A last one."), 1):
        command = f"python3 trace.py tile{number:02} --layer water --zoom 12 --style plain --format text"
        s.turn(use("bash", command=command), think=thought)
    s.turn(ALL_TESTS, say="All of them have. So the colour it is.")
    s.turn(use("list_dir", path="tests"))
    for colour, thought in (
        ("teal", "Teal is wanted."),
        ("#008080", "Not accepted? Perhaps as a number."),
        ("Teal", "Or with a capital letter."),
        ("teal ; water", "Or with a remark behind it."),
    ):
        s.turn(use("read_file", path="tests/test_legend.py"))
        s.turn(use("write_file", path="legend.ini", content=f"[water]\ncolour = {colour}\n"), think=thought)
        s.turn(ALL_TESTS)
    s.turn(use("grep", pattern="legend", path="tests"), think="The test reads legend.cache, not legend.ini.")
    s.turn(use("write_file", path="legend.ini", content="[water]\ncolour = teal\n\n"))
    s.turn(use("bash", command="sed 's/blue/teal/' legend.cache > new && mv new legend.cache && cat legend.cache"))
    s.turn(ALL_TESTS)
    s.turn(use("stop_job", job="render"))
    s.finish("Water is teal in the legend and in its cache; the test passes.")


def plan_left_out(s: Session) -> None:
    steps = ["find the failing test", "fix rounding", "fix sharing", "note it in CHANGES.md"]

    def plan(done: int) -> Use:
        return use("update_plan", plan=[f"[{'x' if n < done else ' '}] {step}" for n, step in enumerate(steps)])

    s.turn(plan(0), say="A plan first.")
    s.turn(use("read_file", path="till/money.py"))
    s.turn(ALL_TESTS)
    for done, thought in enumerate(("The first step is done.", "Rounding next; I mark it.", "And sharing."), 1):
        s.turn(plan(done), think=thought)
        s.turn(ALL_TESTS, think="Where do we stand?")
    s.turn(
        use("edit", path="till/money.py", old_string="> 5", new_string=">= 5"),
        think="Marking steps does not do them. Now really.",
    )
    s.turn(use("run_tests", target="tests/test_money.py"))
    s.turn(
        use(
            "edit",
            path="till/money.py",
            old_string="    return [cents // people] * people",
            new_string="    return [(cents + n) // people for n in range(people)]",
        )
    )
    s.turn(ALL_TESTS)
    s.turn(
        use("edit", path="CHANGES.md", old_string="## Unreleased\n", new_string="## Unreleased\n\n- Cents add up.\n"),
        plan(4),
    )
    s.turn(use("read_file", path="CHANGES.md"))
    s.finish("Both faults are fixed and noted.")


SAMPLES = (
    Sample(
        file="08-honest-waiting.json",
        run="honest-waiting",
        title="Waiting, and rightly so",
        lesson="Fourteen equal questions, fourteen new answers: the grader sees progress, a guard that knows only the"
        " arguments would have stopped it.",
        tags=("no loop", "polling", "recorded verdict"),
        form="outcome",
        project=KILN,
        prompt="Render all map tiles, then check that they are ready to go out.",
        story=honest_waiting,
        config={"max": 3},
        claim=Claim(occurrences=1, period=1),
        what_if=(WhatIf(changes={"match": "name-args"}, occurrences=14),),
        guards=Guards(level=3, thrash="identical"),
    ),
    Sample(
        file="09-four-at-once.json",
        run="four-at-once",
        title="Four times at once is once",
        lesson="Twelve identical calls in three turns: what one turn asks twice counts once, so it is 3 in a row.",
        tags=("at the limit", "parallel calls"),
        form="trajectory",
        project=ATLAS,
        prompt="How many requests a minute may tenants on plan team send, and which tenants are on it?",
        story=four_at_once,
        config={"max": 3},
        claim=Claim(occurrences=3, period=1),
        guards=Guards(level=3, thrash="identical"),
    ),
    Sample(
        file="11-three-answers.json",
        run="three-answers",
        title="Three detectors, three places",
        lesson="The stop guard ends a harmless wait, the ladder warns at six similar commands, and only the grader"
        " sees the loop of three further on.",
        tags=("loop", "longer pattern", "detectors disagree", "recorded verdict"),
        form="outcome",
        project=LEGEND,
        prompt="Render the tiles, and make water teal in the legend.",
        story=three_answers,
        config={"max": 3, "max_cycle_period": 3},
        claim=Claim(occurrences=4, period=3),
        what_if=(
            WhatIf(changes={"max_cycle_period": 1}, occurrences=1),
            WhatIf(changes={"match": "name"}, occurrences=6),
        ),
        guards=Guards(level=2, thrash="identical"),
    ),
    Sample(
        file="13-plan-left-out.json",
        run="plan-left-out",
        title="What a filter puts side by side",
        lesson="Plan updates are not watched, so the test runs between them become neighbours: 4 in a row, 4 allowed.",
        tags=("at the limit", "tool filter"),
        form="trajectory",
        project=TILL,
        prompt="Find and fix what is wrong in till/money.py. Keep a plan.",
        story=plan_left_out,
        config={"max": 4, "tools": ["^(?!update_plan$)"]},
        claim=Claim(occurrences=4, period=1),
        what_if=(WhatIf(changes={"tools": ["."]}, occurrences=1),),
        guards=Guards(level=0, thrash=None),
    ),
)

"""Loops as max-repeat is made for: one call again and again, two in turn, three in turn; and a run without any."""

from __future__ import annotations

from agent.session import Session, Use, use
from stories.projects import ATLAS, TABLE, TILL
from stories.sample import Claim, Guards, Sample, WhatIf

MONEY_TESTS = use("run_tests", target="tests/test_money.py")
SPLIT = use(
    "edit",
    path="till/money.py",
    old_string="    return [cents // people] * people",
    new_string="    share, left = divmod(cents, people)\n    return [share + (n < left) for n in range(people)]",
)
ROUND = use("edit", path="till/money.py", old_string="int(rest[2]) > 5", new_string="int(rest[2]) >= 5")
RENDER_TESTS = use("run_tests", target="tests/test_render.py")
WRONG_INDENTS = ("  ", "    ", "        ", "      ", "            ")


def same_test_again(s: Session) -> None:
    s.turn(use("list_dir", path="."), say="I will look at the project first.")
    s.turn(use("read_file", path="tests/test_money.py"), think="The tests say what is wanted.")
    s.turn(use("read_file", path="till/money.py"))
    s.turn(MONEY_TESTS, think="See how it fails before I change anything.")
    s.turn(SPLIT, think="Three times 33 is 99: the cent that is left over has to go to somebody.")
    s.turn(MONEY_TESTS)
    s.turn(use("grep", pattern=r"parse\(", path="till"), think="One is left. Who calls parse?")
    s.turn(use("read_file", path="till/receipt.py"))
    s.turn(
        use(
            "edit",
            path="till/receipt.py",
            old_string="parse(amount) * count",
            new_string="round(parse(amount) * count)",
        ),
        think="Rounding must be missing here.",
    )
    for thought in (
        "That should do it. Run the test.",
        "Still red. Perhaps the edit was not saved yet; once more.",
        "Odd. I changed the rounding. Once more, to be sure.",
        "It may be a stale module. Run it again.",
        "The same message. Again.",
        "Maybe it is flaky. Another try.",
        "One more run before I look elsewhere.",
    ):
        s.turn(MONEY_TESTS, think=thought)
    s.turn(
        use("bash", command="python3 -c \"from till.money import parse; print(parse('0.125'), parse('0.126'))\""),
        think="The test never calls the receipt. Ask parse itself.",
    )
    s.turn(use("read_file", path="till/money.py", start=4, end=11))
    s.turn(ROUND, think="'> 5' leaves out exactly half a cent. It has to be '>='.")
    s.turn(MONEY_TESTS)
    s.turn(
        use(
            "edit",
            path="till/receipt.py",
            old_string="round(parse(amount) * count)",
            new_string="parse(amount) * count",
        ),
        think="My first edit was in the wrong place. Take it back.",
    )
    s.turn(use("run_tests"))
    s.finish("Both tests pass. Half a cent now rounds up, and a shared amount keeps its last cent.")


def healthy_fix(s: Session) -> None:
    s.turn(use("list_dir", path="."), use("list_dir", path="till"), use("list_dir", path="tests"))
    s.turn(use("read_file", path="README.md"), think="What is this project about?")
    s.turn(use("run_tests"), say="First I run everything.")
    s.turn(use("read_file", path="till/money.py"), think="Both failures are in money.py.")
    s.turn(use("grep", pattern="half_up|adds_up", path="tests"))
    s.turn(ROUND, think="Half a cent must round up: '>=' instead of '>'.")
    s.turn(MONEY_TESTS, think="One of the two should be gone.")
    s.turn(SPLIT)
    s.turn(use("run_tests"))
    s.turn(use("grep", pattern=r"split\(", path="."), think="Does anybody rely on equal shares?")
    s.turn(
        use(
            "write_file",
            path="tests/test_split.py",
            content="from expect import equal\nfrom till import money\n\n\n"
            "def test_shares_differ_by_a_cent():\n    equal(money.split(100, 3), [34, 33, 33])\n",
        ),
        say="Nobody does. A test for the shares themselves is worth having.",
    )
    s.turn(use("run_tests", target="tests/test_split.py"))
    s.turn(use("read_file", path="CHANGES.md"))
    s.turn(
        use(
            "edit",
            path="CHANGES.md",
            old_string="## Unreleased\n",
            new_string="## Unreleased\n\n- Half a cent rounds up.\n- Shares of an amount add up to it.\n",
        )
    )
    s.turn(use("run_tests"), think="Everything once more, with the new test.")
    s.turn(use("bash", command="wc -l < CHANGES.md | tr -d ' '"))
    s.finish("All tests pass, and CHANGES.md names both fixes.")


def read_edit_test(s: Session) -> None:
    s.turn(use("list_dir", path="table"), use("list_dir", path="tests"))
    s.turn(use("read_file", path="tests/test_render.py"))
    s.turn(RENDER_TESTS)
    s.turn(use("read_file", path="table/cli.py"), think="Where does the output come from?")
    s.turn(use("grep", pattern="ljust", path="table"), say="The padding comes from ljust.")
    for indent, thought in zip(
        WRONG_INDENTS,
        (
            "Strip the line before it is kept.",
            "No match. The indentation must be four spaces.",
            "Then eight, it is inside a loop.",
            "Six, perhaps?",
            "Twelve?",
        ),
        strict=True,
    ):
        s.turn(use("read_file", path="table/render.py", start=8, end=13))
        s.turn(_strip_cells(indent), think=thought)
        s.turn(RENDER_TESTS)
    s.turn(use("read_file", path="table/render.py", start=8, end=13))
    s.turn(
        use("bash", command="python3 -c \"print(repr(open('table/render.py').readlines()[10]))\""),
        think="I keep guessing. Look at the bytes.",
    )
    s.turn(_strip_cells("\t\t"), say="Tabs, not spaces.")
    s.turn(RENDER_TESTS)
    s.turn(use("grep", pattern="rstrip", path="table"))
    s.turn(use("bash", command="python3 -c \"from table.cli import main; print(main(['x,yy', 'xxx,y']))\""))
    s.finish("Lines no longer end in spaces; all tests pass. The file is indented with tabs.")


def _strip_cells(indent: str) -> Use:
    append = f'{indent}lines.append(" ".join(cells)'
    return use("edit", path="table/render.py", old_string=f"\n{append})", new_string=f"\n{append}.rstrip())")


def two_searches(s: Session) -> None:
    docs = use("search_docs", query="retention time of backups")
    config = use("grep", pattern="^keep", path="config")
    s.turn(use("list_dir", path="docs"), use("list_dir", path="config"))
    s.turn(use("read_file", path="docs/backups.md"), think="Begin with the page on backups.")
    s.turn(use("read_file", path="docs/tenants.md"), think="The plan decides. Which number is it?")
    for question, answer in (
        ("What do the docs say about it?", "And what is configured?"),
        ("The value refers to the plan. Back to the docs.", "That did not help. The configuration again."),
        ("Perhaps I missed a page.", "Check the key once more."),
        ("The docs must have the number.", "Or the configuration has."),
        ("Search again.", "And the other side."),
        ("Once more.", "Still only the reference."),
    ):
        s.turn(docs, think=question)
        s.turn(config, think=answer)
    s.turn(
        use("read_file", path="docs/plans.md"), say="The reference says plan.backups_kept. Is there a page on plans?"
    )
    s.turn(use("grep", pattern="plan = ", path="config/tenants.ini"))
    s.turn(use("read_file", path="docs/retention.md"))
    s.finish("Tenant north is on plan team: its backups are kept for 30 days. South is on free: 7 days.")


SAMPLES = (
    Sample(
        file="01-same-test-again.json",
        run="same-test-again",
        title="Red again, and again",
        lesson="The agent edits the wrong file, then runs one test seven times without changing a thing.",
        tags=("loop", "one call", "recorded verdict"),
        form="outcome",
        project=TILL,
        prompt="Two tests in tests/test_money.py fail. Make them pass.",
        story=same_test_again,
        config={"max": 3},
        claim=Claim(occurrences=7, period=1),
        what_if=(WhatIf(changes={"match": "name-args"}, occurrences=7), WhatIf(changes={"max": 7}, occurrences=7)),
        guards=Guards(level=2, thrash="identical"),
    ),
    Sample(
        file="02-healthy-fix.json",
        run="healthy-fix",
        title="Nothing goes in circles",
        lesson="A run that gets on with it, to know what a quiet picture looks like.",
        tags=("no loop",),
        form="trajectory",
        project=TILL,
        prompt="Make all tests of this project pass and note the changes in CHANGES.md.",
        story=healthy_fix,
        config={"max": 3},
        claim=Claim(occurrences=1, period=1),
        what_if=(WhatIf(changes={"max_cycle_period": 10}, occurrences=1),),
        guards=Guards(level=0, thrash=None),
    ),
    Sample(
        file="03-read-edit-test.json",
        run="read-edit-test",
        title="Read, edit, test, from the start",
        lesson="Every edit is another guess and none applies: a pattern of three steps comes round five times.",
        tags=("loop", "longer pattern", "errors", "recorded verdict"),
        form="outcome",
        project=TABLE,
        prompt="Rendered tables have spaces at the end of lines. Remove them.",
        story=read_edit_test,
        config={"max": 3, "max_cycle_period": 3},
        claim=Claim(occurrences=5, period=3),
        what_if=(
            WhatIf(changes={"max_cycle_period": 2}, occurrences=1),
            WhatIf(changes={"match": "name-args"}, occurrences=1),
        ),
        guards=Guards(level=0, thrash=None),
    ),
    Sample(
        file="04-two-searches.json",
        run="two-searches",
        title="Two searches take turns",
        lesson="No call follows itself, so longest pattern 1 sees nothing; with 2 the same pair comes six times.",
        tags=("hidden loop", "longer pattern"),
        form="trajectory",
        project=ATLAS,
        prompt="For how long are the backups of tenant north kept?",
        story=two_searches,
        config={"max": 3},
        claim=Claim(occurrences=1, period=1),
        what_if=(WhatIf(changes={"max_cycle_period": 2}, occurrences=6),),
        guards=Guards(level=0, thrash="ping-pong"),
    ),
)

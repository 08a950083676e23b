"""What stands around the picture of two runs: verdicts, figures, calls, texts that differ, and all of it as a table."""

from __future__ import annotations

import numpy as np
import pytest

from loopviz.analysis.runset import RunSet
from loopviz.comparing.aligning import align
from loopviz.comparing.doing import MOST_CALLS, SHOWN, show_call, show_column
from loopviz.comparing.figures import clock, show_figures
from loopviz.comparing.picture import NO_LETTER, UNWATCHED, draw, mark_place
from loopviz.comparing.sides import names_of
from loopviz.comparing.table import show_table
from loopviz.comparing.unlike import TABS, show_unlike
from loopviz.comparing.verdicts import differing, settings_line, show_verdict
from loopviz.model import GraderResult
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.contract import decode
from tests.comparing.runs_by_hand import THREE, run_of, side_of, trials
from tests.detectors.trajectories_by_hand import trajectory_of


class TestNames:
    def test_trials_are_told_apart_by_their_numbers(self) -> None:
        names = names_of(run_of("a", stimulus="s", trial=1, model="m"), run_of("a", stimulus="s", trial=3, model="m"))
        assert (names.noun, names.short) == ("trials", ("trial 2", "trial 4"))

    def test_what_differs_is_named(self) -> None:
        names = names_of(run_of("a", stimulus="s", trial=0, model="x"), run_of("a", stimulus="s", trial=0, model="y"))
        assert names.short == ("x", "y")

    def test_one_run_on_both_sides_bears_its_own_name(self) -> None:
        run = run_of("a", run="one", stimulus="s")
        assert names_of(run, run).short == ("one", "one")

    def test_a_long_name_is_cut(self) -> None:
        names = names_of(run_of("a", model="x" * 500), run_of("a", model="y"))
        assert names.short == ("x" * 59 + "…", "y")

    def test_the_very_same_names_are_told_apart_by_their_runs(self) -> None:
        names = names_of(run_of("a", run="one", stimulus="s"), run_of("a", run="two", stimulus="s"))
        assert (names.noun, names.short) == ("runs", ("one", "two"))


class TestVerdicts:
    def test_a_failing_side_leads_to_the_call(self) -> None:
        shown = show_verdict(side_of(run_of("baaaaa")), 1, "trial 4")
        assert (shown["letter"], shown["badge"]) == ("B", "✗ FAIL")
        assert shown["over"] == {"text": "turn 5 (call 5)", "action": "inspect=B&call=4"}

    def test_a_verdict_that_differs_from_the_file_says_so(self) -> None:
        side = side_of(run_of("aaaaa"))
        said = GraderResult(name="max-repeat", type="max-repeat", passed=True)
        told = type(side)(
            trajectory=side.trajectory, settings=THREE, inspection=side.inspection, recorded=said, comparable=True
        )
        assert show_verdict(told, 0, "")["recorded"] == "≠ Vally said PASS"

    def test_a_long_name_of_a_tool_is_cut(self) -> None:
        calls = [{"tool": "n" * 5_000, "arguments": {}, "observation": "x", "turn": turn} for turn in range(5)]
        shown = show_verdict(side_of(trajectory_of(calls)), 0, "")
        assert [part["text"] for part in shown["sentence"] if part["kind"] == "code"] == ["n" * 59 + "…"]

    def test_a_run_that_is_not_judged_says_why(self) -> None:
        shown = show_verdict(side_of(run_of("", not_judged="It holds no trajectory.")), 0, "")
        assert (shown["badge"], shown["sentence"][0]["text"]) == ("– not judged", "It holds no trajectory.")

    def test_settings_that_differ(self) -> None:
        other = MaxRepeatSettings(max=5, match="name", tools=("^a$",))
        assert [(row["name"].partition(" (")[0], row["a"], row["b"]) for row in differing(THREE, other)] == [
            ("Allowed in a row", "3", "5"),
            ("Same when", "same output", "same tool"),
            ("Watched tools", "every tool", "^a$"),
        ]
        sides = side_of(run_of("a")), side_of(run_of("a"), other)
        assert settings_line(sides, ("as recorded", "by your settings")) == (
            "A is judged as recorded: max 3, longest pattern 1, same output; "
            "B by your settings: max 5, longest pattern 1, same tool, some tools watched."
        )

    @pytest.mark.parametrize(
        ("judged", "origins", "words"),
        [
            pytest.param("ab", ("as recorded",) * 2, "Both judged as recorded: {}.", id="both alike"),
            pytest.param(
                "ab",
                ("as recorded", "by Vally's example"),
                "Both judged by {}: A as recorded, B by Vally's example.",
                id="settings of two origins",
            ),
            pytest.param("b", ("x", "as recorded"), "B is judged as recorded: {}; A is not judged.", id="one alone"),
            pytest.param("", ("x", "y"), "Neither is judged.", id="none"),
        ],
    )
    def test_where_the_settings_of_each_come_from(self, judged: str, origins: tuple[str, str], words: str) -> None:
        one, other = (side_of(run_of("a", not_judged=None if side in judged else "Gone.")) for side in "ab")
        assert settings_line((one, other), origins) == words.format("max 3, longest pattern 1, same output")


class TestFigures:
    def test_what_both_took(self) -> None:
        sides = (
            side_of(run_of("ab", total_cost=0.45, duration_s=133.0, total_tokens=1_000)),
            side_of(run_of("aaaaa", total_cost=0.87, duration_s=196.0)),
        )
        rows = {row["name"]: (row["a"], row["b"], row["more"]) for row in show_figures(sides)}
        assert rows == {
            "Times in a row, 3 allowed": ("1", "5", "+4"),
            "Turns": ("2", "5", "+3"),
            "Calls": ("2", "5", "+3"),
            "Tokens": ("1,000", "–", ""),
            "Recorded cost": ("$0.45", "$0.87", "+$0.42"),
            "Time": ("2:13", "3:16", "+1:03"),
        }
        assert show_figures(sides)[0]["strong"] == [False, True]

    def test_less_has_a_real_minus_sign(self) -> None:
        rows = show_figures((side_of(run_of("abc")), side_of(run_of("a"))))
        assert next(row["more"] for row in rows if row["name"] == "Calls") == "−2"

    def test_no_error_is_a_number_where_the_other_has_some(self) -> None:
        failing = trajectory_of([{"tool": "t", "arguments": {}, "observation": "x", "turn": 0, "failed": True}])
        for other, told in ((run_of("ab"), ("0", "1", "+1")), (run_of("", not_judged="Gone."), ("–", "1", ""))):
            rows = show_figures((side_of(other), side_of(failing)))
            assert [(row["a"], row["b"], row["more"]) for row in rows if row["name"] == "Calls with an error"] == [told]

    def test_a_run_without_calls_has_no_turns(self) -> None:
        rows = {row["name"]: (row["a"], row["b"]) for row in show_figures((side_of(run_of("")), side_of(run_of("a"))))}
        assert rows["Turns"] == rows["Calls"] == ("0", "1")

    def test_clock(self) -> None:
        assert [clock(seconds) for seconds in (0.0, 0.4, 59.6, 3_729.0)] == ["0:00", "0.4 s", "1:00", "1:02:09"]


class TestColumn:
    def test_the_first_difference_shows_the_next_step_of_each(self) -> None:
        sides, found, _ = trials("abxc", "ab(yz)c")
        assert found.mark is not None
        shown = show_column(sides, found, found.mark, chosen=False)
        assert [[call["tool"] for call in side["calls"]] for side in shown["sides"]] == [
            ["tool_x"],
            ["tool_y", "tool_z"],
        ]
        assert shown["sides"][1]["head"] == "turn 3 · calls 3, 4 · byte 2"
        assert shown["sides"][0]["inspect"]["action"] == "inspect=A&call=2"
        assert shown["back"] is None

    def test_a_chosen_column_says_where_one_has_no_step(self) -> None:
        sides, found, _ = trials("abc", "abxyc")
        shown = show_column(sides, found, 3, chosen=True)
        assert shown["title"] == "Step 4 of 5: only in B"
        assert shown["sides"][0]["note"] == "No step of this run stands here; its next one is this."
        assert shown["back"] is not None

    def test_the_marked_column_is_called_what_it_is(self) -> None:
        titles = []
        for words in (("aBx", "aby"), ("aB", "ab")):
            sides, found, _ = trials(*words)
            assert found.mark is not None
            titles.append(show_column(sides, found, found.mark, chosen=False)["title"])
        assert titles == ["What each did where they part", "What each did at the first other output"]

    def test_a_run_that_has_ended(self) -> None:
        sides, found, _ = trials("ab", "abc")
        shown = show_column(sides, found, 2, chosen=False)
        assert (shown["sides"][0]["note"], shown["sides"][0]["calls"]) == ("This run has ended before.", [])

    def test_long_texts_and_wide_turns_are_cut_and_say_so(self) -> None:
        sides, found, _ = trials("a", f"({'a' * (MOST_CALLS + 3)})b")
        shown = show_column(sides, found, 0, chosen=True)
        assert shown["sides"][1]["more"] == "3 more calls in this turn"
        long = trajectory_of([{"tool": "t", "arguments": {}, "observation": "x" * (SHOWN + 7), "turn": 0}])
        assert show_call(long, 0)["output"].endswith("\n… 7 more characters: Inspect shows them.")


class TestUnlike:
    def test_nothing_where_all_is_the_same(self) -> None:
        sides, found, _ = trials("ab", "ab")
        assert show_unlike(sides, found, RunSet([side.trajectory for side in sides]).columns, None) is None

    def test_the_two_outputs_line_by_line(self) -> None:
        sides, found, _ = trials("abc", "xaBc")
        shown = show_unlike(sides, found, RunSet([side.trajectory for side in sides]).columns, None)
        assert shown is not None
        assert (shown["title"], shown["tabs"]) == ("Same call, other output", [])
        assert [head["words"] for head in shown["heads"]] == ["turn 2 · call 2", "turn 3 · call 3"]
        (text,) = shown["texts"]
        assert [(row["sign"], "".join(words for words, _ in row["pieces"])) for row in text["rows"]] == [
            ("−", "gave b"),
            ("+", "gave B"),
        ]

    def test_many_are_offered_around_the_chosen_one(self) -> None:
        sides, found, _ = trials("ab" * 10, "aB" * 10)
        columns = RunSet([side.trajectory for side in sides]).columns
        shown = show_unlike(sides, found, columns, 11)
        assert shown is not None
        assert (shown["aside"], len(shown["tabs"])) == ("6 of 10", TABS)
        assert next(tab for tab in shown["tabs"] if tab["on"]) == {
            "label": "turn 12",
            "action": "unlike=11",
            "on": True,
        }


class TestPicture:
    def test_steps_carry_the_letters_of_their_cycle(self) -> None:
        sides, found, _ = trials("ab", "abababc")
        picture = draw(sides, found, name="x", marked=found.mark, mark=mark_place(sides, found), flag="where they part")
        assert decode(picture["kind"]).tolist() == found.kind.tolist()
        assert picture["mark"]["text"] == "where they part: turn 3"
        assert decode(picture["sides"][1]["letter"]).tolist() == [NO_LETTER] * 7

    def test_cycles_under_a_filter_stand_at_their_turns(self) -> None:
        settings = MaxRepeatSettings(max=2, tools=("tool_a",))
        run = run_of("xayaza")
        sides = side_of(run, settings), side_of(run, settings)
        found = align(RunSet([run, run]), "name")
        side = draw(sides, found, name="x", marked=None, mark="")["sides"][0]
        letters = decode(side["letter"])
        assert np.flatnonzero(letters == 0).tolist() == [1, 3, 5]
        assert [int(decode(side["brackets"][name])[0]) for name in ("start", "stop", "occurrences")] == [1, 6, 3]
        assert decode(side["flags"]).tolist() == [UNWATCHED, 0] * 3
        assert side["flag"]["text"] == "over the limit at call 6"

    def test_seldom_tools_share_a_row(self) -> None:
        sides, found, _ = trials("abcdefghijkl", "a")
        picture = draw(sides, found, name="x", marked=None, mark="")
        assert (len(picture["rows"]), picture["rows"][-1]) == (9, "other tools")
        named = [picture["names"][name] for name in decode(picture["sides"][0]["name"]).tolist()]
        assert named == [f"tool_{letter}" for letter in "abcdefghijkl"]


def test_the_table_says_the_same_in_words() -> None:
    sides, found, _ = trials("abxcd", "abyycD")
    assert show_table(sides, found)["rows"] == [
        ["turns 1–2: tool_a, tool_b", "same call, same output", "turns 1–2: tool_a, tool_b"],
        ["turn 3: tool_x", "only in A", "–"],
        ["–", "only in B", "turns 3–4: tool_y"],
        ["turn 4: tool_c", "same call, same output", "turn 5: tool_c"],
        ["turn 5: tool_d", "same call, other output", "turn 6: tool_d"],
    ]

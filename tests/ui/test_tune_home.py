"""What is taken home: YAML, the edit of a spec, text for a pull request, with one grader and with several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from loopviz import config
from loopviz.model import Trajectory
from loopviz.specedit import EditRefused
from loopviz.tuning.graders import Entry
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Book, Label, label_of, read
from loopviz.ui.tune.home import (
    Wanted,
    candidate_as_yaml,
    diff_or_reasons,
    edit_words,
    nothing_words,
    placed,
    plan,
    pull_request,
)
from tests.ui.tune_by_hand import grader, said_of, tuned_of
from tests.ui.vally_trials import trial

TOOLS = "search read_page edit_file"
RUNS = [
    trial("aaaaaac", stimulus="fix", number=0, score=0.2, tools=TOOLS),
    trial("bbbbac", stimulus="ship", number=0, score=0.9, tools=TOOLS),
]
SEARCH, READ = grader(5, tools=("^search$",)), grader(2, name="reads", tools=("^read",))
SPEC = """\
stimuli:
  - name: fix
    graders:
      - {other}
      - type: max-repeat  # ours
        name: no-loops
        config:
          max: 3
"""
OTHER = "{type: completed}"


def spec_of(content: str) -> config.Config:
    return config.read(content)


class TestYaml:
    def test_one_grader(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(4, max_cycle_period=3))
        lines = candidate_as_yaml(tuned, said_of(tuned), Book()).splitlines()
        assert lines[:5] == [
            "- type: max-repeat",
            "  name: no-loops",
            "  config:",
            "    max: 4",
            "    max_cycle_period: 3",
        ]
        assert lines[5].startswith("# chosen on 2 runs judged (")

    def test_several(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, SEARCH, READ)
        text = candidate_as_yaml(tuned, said_of(tuned), Book())
        assert text.count("- type: max-repeat") == 2 and "name: reads" in text

    def test_comments_are_wrapped(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(4))
        lines = candidate_as_yaml(tuned, said_of(tuned, outcomes=True), Book()).splitlines()
        assert max(map(len, lines)) <= 44
        assert " ".join(line.removeprefix("# ") for line in lines if line.startswith("#")).endswith(
            "finds 1 of 1 run that ended badly and flags 0 of 1 run that ended well"
        )

    def test_names_that_vally_refuses_are_refused(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, SEARCH, grader(2, tools=("^read",)))
        with pytest.raises(ValueError, match="Two graders are named 'no-loops'"):
            candidate_as_yaml(tuned, said_of(tuned), Book())


class TestEdit:
    def test_one_grader_takes_the_place_of_the_only_one(self, tmp_path: Path) -> None:
        content = SPEC.format(other=OTHER)
        tuned = tuned_of(tmp_path, RUNS, grader(4, name="another"))
        edit, left_out = plan(tuned, spec_of(content), content.encode(), Wanted(stimuli=["fix"]))
        assert edit.after.decode() == content.replace("max: 3", "max: 4")
        assert left_out == []
        assert edit_words(edit, "/runs/eval.yaml") == "eval.yaml · fix, 1 of 1 stimuli · 1 line added, 1 removed"

    def test_of_several_the_one_of_that_name_is_changed_and_the_others_told(self, tmp_path: Path) -> None:
        content = SPEC.format(other=OTHER)
        tuned = tuned_of(tmp_path, RUNS, SEARCH, READ)
        edit, left_out = plan(tuned, spec_of(content), content.encode(), Wanted(stimuli=["fix"]))
        assert (edit.added, edit.removed) == (2, 1)
        assert left_out == ["stimulus 'fix' has 1 max-repeat grader, and none is named 'reads'."]

    def test_or_added(self, tmp_path: Path) -> None:
        content = SPEC.format(other=OTHER)
        tuned = tuned_of(tmp_path, RUNS, SEARCH, READ)
        edit, left_out = plan(tuned, spec_of(content), content.encode(), Wanted(stimuli=["fix"], add=True))
        after = spec_of(edit.after.decode()).stimuli[0].graders
        assert [one.settings for one in after] == [SEARCH.settings, READ.settings]
        assert left_out == []

    SIBLING = "{type: loop-outcome, config: {max_acceptable_retries: 2}}"

    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            pytest.param(
                {"max_cycle_period": 1, "match": "name-args"},
                "It would say the same as max 4 with max_acceptable_retries: 3 and match: name-args.",
                id="a plain repeat",
            ),
            pytest.param(
                {"max_cycle_period": 3},
                "It knows plain repeats only, so it cannot say max 4 with longer patterns.",
                id="a longer pattern",
            ),
        ],
    )
    def test_loop_outcome_stays_and_is_told_of(self, settings: dict[str, object], words: str, tmp_path: Path) -> None:
        content = SPEC.format(other=self.SIBLING)
        tuned = tuned_of(tmp_path, RUNS, grader(4, **settings))
        edit, left_out = plan(tuned, spec_of(content), content.encode(), Wanted(stimuli=["fix"]))
        assert self.SIBLING in edit.after.decode()
        assert left_out == [f"fix: loop-outcome stays as it is. {words}"]

    def test_what_cannot_be_edited_is_refused_with_what_to_paste(self, tmp_path: Path) -> None:
        content = "stimuli: [{name: fix, graders: [{type: max-repeat, config: {max: 3}}]}]\n"
        tuned = tuned_of(tmp_path, RUNS, grader(4))
        with pytest.raises(EditRefused) as refused:
            plan(tuned, spec_of(content), content.encode(), Wanted(stimuli=["fix"]))
        shown = diff_or_reasons(refused.value, "eval.yaml")
        assert "flow style" in shown["refused"][0] and "max: 4" in shown["snippet"]


class TestPullRequest:
    def test_one_grader_says_what_changes(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5, max_cycle_period=2))
        text = pull_request(tuned, said_of(tuned), Book())
        assert text.startswith("### max-repeat: max 3 → 5, longest pattern 1 → 2\n")
        assert "| runs that fail         |  2 of 2 |    1 of 2 |" in text
        assert (
            "1 run flips: 0 now fail, 1 now pass.\n- now passes  ship, trial 1, large-3: line 2, turn 4, call 4" in text
        )

    def test_several_stand_each_with_its_own_grid(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, SEARCH, READ)
        text = pull_request(tuned, said_of(tuned, outcomes=True), Book())
        assert text.startswith(
            "### max-repeat: 2 graders, each for its tools\n\n"
            "- until now: max 3, longest pattern 1, same tool and output\n"
            "- no-loops: max 5, longest pattern 1, same tool and output, tools `^search$`\n"
        )
        assert "no-loops: Runs that fail by max" in text and "reads: Runs that fail by max" in text
        assert "ended badly, flagged" in text

    def test_patterns_and_names_are_never_markup(self, tmp_path: Path) -> None:
        runs = [trial("aaaa", stimulus="![x](http://x)")]
        tuned = tuned_of(tmp_path, runs, grader(9, tools=("![y](http://y)",)))
        text = pull_request(tuned, said_of(tuned), Book())
        assert "\\!\\[x\\](http://x)" in text
        assert "tools all → `![y](http://y)`" in text

    def test_labels_that_are_not_of_these_runs_are_not_counted_as_used(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        own = label_of(tuned.opened.runs.trajectories[0], LOOP)
        kept = read([own.line(), replace(own, run="another", digest="7:ab").line()])
        said = said_of(tuned, lambda run: [own] if run.run == own.run else [])
        assert "2 runs judged. 2 labels, 1 used, sha256 " in pull_request(tuned, said, kept)
        assert "# 2 labels, 1 used, sha256 " in candidate_as_yaml(tuned, said, kept)

    def test_it_says_how_far_the_figures_can_be_trusted(self, tmp_path: Path) -> None:
        suggested = tuned_of(tmp_path, RUNS, grader(5))
        said = said_of(suggested, pinned)
        assert said.suggestion is not None
        tuned = tuned_of(tmp_path, RUNS, Entry(name="no-loops", settings=said.suggestion.settings))
        text = pull_request(tuned, said_of(tuned, pinned), Book())
        assert "\n\nToo few labels to tell: 1 loop and 1 good run; " in text
        assert "\n\nEach stimulus left out in turn, 2 times: " in text
        assert "\n\nPins that hold: 1 of 2 until now, 2 under the candidate.\n\n" in text

    def test_what_holds_of_the_suggestion_is_not_said_of_another_candidate(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(9))
        assert "left out in turn" not in pull_request(tuned, said_of(tuned, pinned), Book()).split("Pins that hold")[0]

    def test_graders_that_are_no_one_setting_are_named_so(self, tmp_path: Path) -> None:
        runs = [*RUNS, trial("ab", stimulus="other", graders=({"max": 5},))]
        tuned = tuned_of(tmp_path, runs, grader(4))
        text = pull_request(tuned, said_of(tuned, outcomes=True), Book())
        assert text.startswith(
            "### max-repeat: max 4, longest pattern 1, same tool and output\n\n- until now: more than"
        )
        assert "| ended badly, flagged   |  1 of 1 |" in text

    def test_names_are_cut_and_their_signs_that_turn_the_direction_spelled_out(self, tmp_path: Path) -> None:
        runs = [trial("aaaa", stimulus=f"\u202e{'x' * 500}")]
        tuned = tuned_of(tmp_path, runs, grader(9))
        text = pull_request(tuned, said_of(tuned), Book())
        line = next(line for line in text.splitlines() if line.startswith("- now"))
        assert "\\u202exxx" in line and "\u202e" not in line and len(line) < 200


NOTHING = [
    pytest.param((), [], "choose below which of its stimuli to change", id="no stimulus"),
    pytest.param(
        ("fix",), [grader(3, name="a"), grader(3, name="b")], "nothing would change yet", id="no grader is meant"
    ),
    pytest.param(("fix",), [grader(3), grader(3, name="b")], "nothing else to change", id="one is, and is so already"),
    pytest.param(("fix",), [grader(3)], "nothing to change: these graders have these settings already", id="all are"),
]


@pytest.mark.parametrize(("stimuli", "entries", "words"), NOTHING)
def test_why_nothing_would_change(stimuli: tuple[str, ...], entries: list[Entry], words: str, tmp_path: Path) -> None:
    spec = spec_of(SPEC.format(other=OTHER))
    wanted = Wanted(stimuli=stimuli)
    matched = placed(tuned_of(tmp_path, RUNS, *(entries or [grader(3)])), spec, wanted)
    assert nothing_words(matched, wanted, "/runs/eval.yaml").startswith(f"eval.yaml · {words}")


def test_several_replace_the_old_grader_where_that_is_wanted(tmp_path: Path) -> None:
    content = SPEC.format(other=OTHER)
    tuned = tuned_of(tmp_path, RUNS, grader(5, name="outputs"), grader(2, name="calls", match="name-args"))
    wanted = Wanted(stimuli=["fix"], add=True, replace=True)
    edit, told = plan(tuned, spec_of(content), content.encode(), wanted)
    after = spec_of(edit.after.decode()).stimuli[0].graders
    assert [one.settings for one in after] == [entry.settings for entry in tuned.entries]
    assert told == [] and placed(tuned, spec_of(content), wanted).is_whole


def pinned(trajectory: Trajectory) -> Iterable[Label]:
    """`fix` loops and must be caught, `ship` does not and must be left alone."""
    label = LOOP if trajectory.stimulus == "fix" else NOT_A_LOOP
    yield label_of(trajectory, label)
    yield label_of(trajectory, label, calls=(1, 4), pin=True)

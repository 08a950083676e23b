"""The words of the app, for the Help page: what each means, and what it is called where a person types or reads it."""

from __future__ import annotations

from dataclasses import dataclass

PURPOSE = """\
An agent works by calling tools: it reads a file, edits it, runs the tests. When it gets stuck it may make the same
calls over and over. loopviz takes the recorded run and counts how many times **in a row** the same step, or the same
pattern of steps, came back. More than are allowed, and the run fails: that is the grader **max-repeat**. Two **live
guards** are simulated beside it, which would have acted during the run. Whatever is shown, three things stand first:
did it loop, where, and what would change that.
"""

PAGES = (
    ("Runs", "Which of these runs loop, which are close to the limit, and where did Vally say otherwise?"),
    ("Inspect", "Did this run loop, where, on what, and what would change that?"),
    ("Tune", "Which settings fit what people say of these runs, and which runs would change their verdict?"),
    ("Compare", "Where do two runs part, what do two settings change in one run, which runs of a set fail newly?"),
    ("Present", "What happened, in plain words and one picture, for people who never saw a run, and what did it cost?"),
    ("Help", "What does a word, a mark or a rule mean?"),
)
"""The pages in the order of the navigation, and the question that each answers."""

CHOOSING = """\
1. Open the runs, and with them the `eval.yaml` that the settings are to go into: `loopviz runs/ eval.yaml`.
   A file named like this can be written; one that was dropped on the page can only be downloaded.
2. On **Tune**, choose a file to keep labels in, beside the runs.
3. Label what *Still to label* offers: open the run in Inspect, read it, press `l` for a loop or `o` for none, and go on
   with *Next to label*. A dozen runs, of several stimuli and of both kinds, is a beginning.
4. Where one stretch matters, drag over it in the timeline and **pin** it: it must be caught, or it must be left alone.
5. Back on Tune, take the suggestion or click a cell of the grids. Read what it flags wrongly, what stopping those runs
   would have cost, and which runs flip. *Too few to tell* means just that: label more before you trust it.
6. Under **Take it home**, choose the stimuli and graders, read the difference, write the file, and copy the text for
   the pull request.
"""

LANES = (
    ("Call", "One column a call, counted from 1. The figure beside a lane's name is its count for the whole run."),
    (
        "Cycles",
        "A bracket over every pattern that came at least twice in a row. Each complete copy has its number; those past "
        "the limit are filled. Solid is over the limit, tinted is within it, dashed is found but not counted. The flag "
        "stands at the first step over the limit.",
    ),
    (
        "Steps",
        "A cell for each counted step. Its letter is the place in the pattern, its colour the length of the pattern. "
        "Grey steps repeat nothing. A copy that was only started is tinted: it does not count.",
    ),
    ("Breaks", "A diamond where a step gave an empty output, which ends any pattern, and what it cut off."),
    (
        "Tools",
        "A row for each tool, those of the loop first and in its order, so that a loop looks like a staircase. A cross "
        "is an error. Tools that are not watched come last, hollow.",
    ),
    (
        "Seen before",
        "Filled where the same arguments or the same output came earlier in the run, stronger where both did.",
    ),
    ("Ladder", "The first live guard: the higher, the more similar calls in a row. A flag where a level fires."),
    ("Thrash", "The second live guard: identical calls, with a dotted line at the count that stops the run."),
    ("Events", "What happened between the calls: messages, compactions, cut outputs, errors."),
)
"""The lanes of the timeline from top to bottom, by the names that stand beside them; `Tools` for all rows of tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word of the app."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    """What it is called in settings, in addresses and in what the command line prints."""

    @property
    def anchor(self) -> str:
        """What a link to it ends with: `word-counted-step`."""
        return "word-" + self.name.lower().replace(" ", "-").replace(",", "")


def _term(name: str, text: str, *keys: str) -> Term:
    return Term(name=name, text=text, keys=keys)


TERMS: tuple[tuple[str, tuple[Term, ...]], ...] = (
    (
        "The run",
        (
            _term("Run", "Everything that one agent did on one task, as a file records it.", "trajectory"),
            _term("Trial", "One of several runs of the same task, the stimulus.", "trial", "stimulus"),
            _term(
                "Turn", "One answer of the model and the calls that it makes. A turn may make several at once.", "turn"
            ),
            _term(
                "Call",
                "One use of a tool: its name and its arguments. Numbers of calls and turns belong to the whole run and "
                "never change with a setting.",
                "call",
            ),
            _term("Output", "What a call got back, or nothing.", "observation"),
            _term(
                "Watched call",
                "A call whose tool passes the filter. The others are dropped before anything is counted, so they do "
                "not separate the calls around them.",
                "tools",
            ),
        ),
    ),
    (
        "Counting",
        (
            _term(
                "Counted step",
                "What the grader compares: the watched calls of one turn, taken together. Three calls in one turn are "
                "one step.",
                "steps",
            ),
            _term(
                "Same when",
                "What makes two calls the same. Same output: same tool and output, whatever the arguments. Same "
                "arguments: same tool and arguments, whatever the output. Same tool: all else is ignored.",
                "match",
                "observation",
                "name-args",
                "name",
            ),
            _term(
                "Fingerprint",
                "What a step is reduced to before it is compared. Two steps are the same exactly when their "
                "fingerprints are.",
            ),
            _term(
                "Empty step",
                "A step with an empty output. It ends any pattern and starts none, for where nothing came back nothing "
                "is known to be the same. Only *same output* has empty steps. With a longest pattern of 1 all outputs "
                "of the step must be empty, above 1 a single empty one is enough.",
                "empty_steps",
            ),
            _term(
                "Pattern",
                "One to ten steps that come again in the same order. The picture calls them a, b, c and so on.",
                "pattern",
            ),
            _term(
                "Pattern length",
                "How many steps a pattern has. The longest that is looked for is a setting.",
                "period",
                "max_cycle_period",
            ),
            _term(
                "Times in a row",
                "Complete copies of a pattern that follow each other directly. This is the figure that is held against "
                "the limit. A step that repeats nothing is there once.",
                "occurrences",
            ),
            _term("Started copy", "The beginning of one more copy at the end of a cycle. It does not count."),
            _term(
                "Cycle",
                "A span of steps in which a pattern comes at least twice in a row. It ends with a different step, an "
                "empty step, or the run.",
                "cycles",
                "ended_by",
            ),
            _term("Allowed in a row", "The limit. With 3, three times in a row pass and the fourth fails.", "max"),
            _term(
                "Over the limit",
                "More times in a row than are allowed. The first step over the limit is the one that completes the "
                "first copy too many.",
                "first_failing_step",
            ),
            _term(
                "Found, not counted",
                "A cycle that the settings do not count, but that would be over the limit with another way of *same "
                "when* or a longer pattern. Drawn dashed.",
            ),
            _term(
                "Retry",
                "A step that is there N times in a row is N − 1 retries. The grader loop-outcome counts these.",
                "max_acceptable_retries",
            ),
        ),
    ),
    (
        "Verdicts",
        (
            _term("Vally", "Microsoft's tool for evaluating agents; max-repeat is one of the graders it offers."),
            _term("Vally said", "The verdict that the file itself records for this grader.", "recorded"),
            _term("Recomputed here", "The verdict that loopviz works out from the recorded calls.", "passed"),
            _term("Not judged", "The file holds no list of events for this run, so there is nothing to judge.", "null"),
            _term("One away from the limit", "One more time in a row would fail the run, or one fewer would pass it."),
            _term(
                "Detectors disagree",
                "Of max-repeat, the ladder at its highest level and thrash, some would have failed or stopped the run "
                "and others not. They ask different questions, so that is no error.",
            ),
        ),
    ),
    (
        "Live guards, simulated",
        (
            _term(
                "Live guard",
                "Something that watches a run while it happens. Here it is worked out afterwards what it would have "
                "done. It never touches the verdict of max-repeat.",
            ),
            _term(
                "Similar",
                "Two calls whose arguments have enough words in common: the share of the words of either that both "
                "have, called the Jaccard score.",
                "similarity",
            ),
            _term("Stretch", "Similar calls in a row, each held against the first of them.", "longest_stretch"),
            _term(
                "Level",
                "How firm the ladder's nudge is: 0 none, 1 replan, 2 explore, 3 force-done.",
                "level",
                "fail_level",
            ),
            _term("Fires", "A level fires at the call where a stretch reaches the length of that level.", "fired"),
            _term("Thrash", "Repeating without headway: the second guard stops such a run.", "cannot: tool thrash"),
            _term(
                "Key",
                "What the thrash detector compares: the tool and its arguments, without those left out.",
                "key",
                "ignore_args",
            ),
            _term(
                "Nearly empty",
                'An empty output, or a text that says no more than `[]`, `{}`, `null` or `""`.',
                "empty_retry",
            ),
            _term(
                "After the stop point",
                "What came after a guard would have stopped the run: at most what it would have saved. Some runs "
                "recover after a loop.",
                "after_stop",
            ),
        ),
    ),
    (
        "Choosing settings",
        (
            _term("Current", "The settings in force now: those recorded, those of an eval spec, or Vally's example."),
            _term("Candidate", "The settings you are trying on Tune. Nothing holds them until you take them home."),
            _term("Flip", "A run whose verdict under the candidate differs from that under the current settings."),
            _term(
                "Label",
                "What a person says of a run, or of a stretch of its calls: loop, or not a loop. Where nobody has said "
                "anything, recorded outcomes can stand in; they are told apart.",
                "--labels",
            ),
            _term(
                "Pin",
                "A labelled stretch on which settings must not fail: a loop that must be caught, or honest work that "
                "must be left alone. In CI, loopviz grade --labels checks it.",
                "pin",
            ),
            _term(
                "Held out",
                "How settings do on runs that had no part in choosing them: each stimulus is left out in turn, and "
                "judged by what the others choose.",
                "held_out",
            ),
            _term("Label file", "A text file that you choose, one line a label, fit for git and for merging."),
        ),
    ),
    (
        "Descriptions, never verdicts",
        (
            _term(
                "Seen before",
                "A call whose arguments or output came earlier in the run, in a row or not. It shows what no detector "
                "here catches, such as a loop with something else in between.",
            ),
            _term(
                "Near-repeat",
                "Calls of one tool that would be the same but for a field, a word or a number, which is named.",
            ),
            _term(
                "Before it began",
                "What stood just before a loop: an error, an empty or cut output, a compaction. It was seen before the "
                "loop, which does not make it a cause.",
            ),
            _term(
                "Unknown values",
                "Arguments or outputs that were redacted or never recorded. Taken as equal they may look like a loop, "
                "so the page says what the figure would be if they equalled nothing.",
                "unknown",
                "equal",
                "distinct",
            ),
        ),
    ),
)
"""Every word, by chapter."""

"""What the Help page says of the command line, of where settings come from, and of what leaves the computer."""

from __future__ import annotations

COMMANDS = """\
loopviz results/                   # this app, on your runs: files and folders
loopviz grade results/ --max 3     # verdicts only, for scripts and CI; --json or --format junit
loopviz explain run.json --call 13 # one run: the verdict, how it came about, every step
loopviz report run.json -o run.html # the same with its timeline as one file, to hand on
loopviz sweep results/             # how many runs fail under every setting
loopviz suggest results/ --labels labels.jsonl # the setting that fits what people said of the runs
loopviz follow session.jsonl       # watch a run that is being written; says when a guard would act"""

EXITS = (
    ("Exit 0", "All passed."),
    ("Exit 1", "At least one run failed."),
    (
        "Exit 2",
        "Something could not be used: a refused config, a file that cannot be read, a run that cannot be judged. This "
        "wins over 1; what could be read is judged and printed all the same.",
    ),
)

SOURCES = """\
Without any choice of yours, each run is judged by the max-repeat graders that its own file records, else by the example
of Vally's documentation, max 3. In a terminal `--max`, `--max-cycle-period`, `--match` and `--tool` change this for all
runs, and so does a file given by `--config`: an eval spec of Vally's, whose graders are matched to each run by its
stimulus, or a config of loopviz's own. An eval spec that is opened here beside the runs judges those of its stimuli;
the others keep what they record. In the app, what you set holds for all runs and stands in the address, so that a
copied address opens the same run under the same settings.
"""

CONFIG = """\
tools: ["^bash$"]              # what ladder and thrash watch
max_repeat: {max: 3, max_cycle_period: 2, match: observation, tools: ["^bash$"]}
escalation: {similarity: 0.75, replan: 3, explore: 5, force_done: 8}
thrash: {n: 3, scope: consecutive, ping_pong: true}
unknown: equal                 # or distinct: redacted values equal nothing"""

PRIVACY = """\
Nothing leaves this computer. The app answers here only, sends no statistics, asks for no account and loads nothing from
elsewhere; files that you drop on it are kept in memory until it is closed. Only `--host` opens it to others, with a
warning.

In what the command line prints and in every report, values that look like secrets, such as keys, tokens and passwords,
are replaced by `[masked]`; `--no-mask` switches that off. Masking goes by looks alone. It may hide too much, and it
cannot find every secret, so read what you hand on. On the pages of the app nothing is masked.
"""

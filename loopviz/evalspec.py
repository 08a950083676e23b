"""Vally's eval spec, and the stimulus that a recorded run carries: which graders judge which stimulus.

Graders stand under `stimuli[].graders`; a recorded run holds its own stimulus, graders included, in the same shape.
Only `max-repeat` is judged here, and of its sibling `loop-outcome` the form that asks for no loop; every other grader
is somebody else's. A grader that is refused keeps its place, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from loopviz.model import Json, conversation
from loopviz.refusals import Refusal, SettingsError, show
from loopviz.settings import LoopOutcomeSettings, MaxRepeatSettings, load

MAX_REPEAT = "max-repeat"
LOOP_OUTCOME = "loop-outcome"
_GRADER_KEYS = ("type", "name", "config")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderSpec:
    """One grader as somebody configured it."""

    type: str
    """`max-repeat` or `loop-outcome`."""
    name: str
    """Unique among the graders of its stimulus: the configured name, or one made from the settings."""
    where: str
    """The place, as a person would say it: `stimulus 'fix-bug', grader 2`."""
    settings: MaxRepeatSettings | None
    """What to judge by; None for a grader that is refused or not judged here."""
    error: SettingsError | None = field(default=None, compare=False)
    """Why it is refused."""
    not_judged: str | None = None
    """Why a grader that is in order is not judged here."""
    index: int | None = None
    """Its place among all graders of its stimulus, from 0; None for one that stands in no stimulus."""
    given_name: str | None = None
    """The configured name."""
    config: Json = field(default=None, compare=False, repr=False)
    """The settings as written, so that changes can be made to them."""
    notes: tuple[str, ...] = ()
    """What was read and left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stimulus:
    """One stimulus and its graders."""

    name: str | None
    prompt: str | None = None
    turns: tuple[str, ...] = ()
    """The user's messages of a stimulus that has several."""
    graders: tuple[GraderSpec, ...] = ()
    """Its max-repeat graders."""
    siblings: tuple[GraderSpec, ...] = ()
    """Its loop-outcome graders."""
    errors: tuple[str, ...] = ()
    """What is refused, with its place: refused graders, and what is no grader at all."""
    notes: tuple[str, ...] = ()

    @property
    def asked(self) -> str | None:
        """What a run of it is asked, as a reader of runs gives it."""
        return self.prompt or conversation(self.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSpec:
    """An eval spec, as far as it matters to loops."""

    name: str | None = None
    stimuli: tuple[Stimulus, ...] = ()
    threshold: float | None = None
    """The score from which a trial passes, where the spec says."""
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def find(self, name: str) -> Stimulus | None:
        """The stimulus of this name."""
        return next((stimulus for stimulus in self.stimuli if stimulus.name == name), None)

    def find_by_prompt(self, prompt: str) -> Stimulus | None:
        """The one stimulus that asks this, else the one that asks it first; None when there is none, or several."""
        same = [s for s in self.stimuli if s.asked == prompt] or [s for s in self.stimuli if prompt in s.turns[:1]]
        return same[0] if len(same) == 1 else None


def read_eval_spec(spec: Mapping[str, Json]) -> EvalSpec:
    """Read a decoded eval spec; what is wrong with it stands in `errors`."""
    listed = spec.get("stimuli")
    entries = listed if isinstance(listed, list) else []
    stimuli = tuple(read_stimulus(entry, where=f"stimulus {k + 1}") for k, entry in enumerate(entries))
    scoring = spec.get("scoring")
    return EvalSpec(
        name=_text(spec.get("name")),
        stimuli=stimuli,
        threshold=_number(scoring.get("threshold")) if isinstance(scoring, Mapping) else None,
        errors=(*_spec_errors(listed, stimuli), *(error for s in stimuli for error in s.errors)),
        notes=(*_spec_notes(spec), *(note for s in stimuli for note in s.notes)),
    )


def _spec_errors(listed: Json, stimuli: Sequence[Stimulus]) -> Iterator[str]:
    if not isinstance(listed, list) or not listed:
        yield str(Refusal("stimuli", listed, "it must be a list of at least one stimulus"))
    for name, times in Counter(s.name for s in stimuli if s.name is not None).items():
        if times > 1:
            yield f"stimuli: {times} of them are named {show(name)}; names must differ."


def _spec_notes(spec: Mapping[str, Json]) -> Iterator[str]:
    if "graders" in spec:
        yield "The graders at the top of the file are not used by Vally: it reads those of each stimulus."


def read_stimulus(stimulus: Json, *, where: str = "stimulus") -> Stimulus:
    """Read a decoded stimulus, of an eval spec or of a recorded run.

    Args:
        stimulus: The mapping; anything else, `None` included, is a stimulus without a name and graders.
        where: What to call it in messages when it has no name.
    """
    if not isinstance(stimulus, Mapping):
        wrong = () if stimulus is None else (f"{where} is {show(stimulus)}; it must be a mapping.",)
        return Stimulus(name=None, errors=wrong)
    name = _text(stimulus.get("name"))
    where = where if name is None else f"stimulus {name!r}"
    listed = stimulus.get("graders")
    graders, siblings = (_read_entries(listed, type, where) for type in (MAX_REPEAT, LOOP_OUTCOME))
    turns = stimulus.get("turns")
    return Stimulus(
        name=name,
        prompt=_text(stimulus.get("prompt")),
        turns=tuple(filter(None, map(_request, turns))) if isinstance(turns, list) else (),
        graders=named(graders),
        siblings=named(siblings),
        errors=(*_stimulus_errors(listed, where), *(str(g.error) for g in graders if g.error)),
        notes=tuple(note for g in (*graders, *siblings) for note in g.notes),
    )


def _stimulus_errors(listed: Json, where: str) -> Iterator[str]:
    if listed is not None and not isinstance(listed, list):
        yield f"{where}: {Refusal('graders', listed, 'it must be a list')}"
        return
    for k, entry in enumerate(listed or ()):
        if _type(entry) is None:
            yield f"{where}, grader {k + 1} is {show(entry)}; it must be a mapping with a type."


def read_grader(
    type: str, config: Json, *, where: str, name: str | None = None, index: int | None = None
) -> GraderSpec:
    """Check the settings of one grader; a refusal stands in `error`."""
    grader = GraderSpec(
        type=type, name=name or type, where=where, settings=None, index=index, given_name=name, config=config
    )
    try:
        if type == MAX_REPEAT:
            return replace(grader, settings=load(MaxRepeatSettings, {} if config is None else config, where=where))
        sibling = load(LoopOutcomeSettings, {} if config is None else config, where=where)
    except SettingsError as error:
        return replace(grader, error=error)
    if sibling.judged:
        return replace(grader, settings=sibling.as_max_repeat())
    return replace(grader, not_judged="Not judged here: only a plain repeat with should_loop false is.")


def with_changes(grader: GraderSpec, changes: Mapping[str, Json]) -> GraderSpec:
    """The same grader with some settings replaced, checked anew; its name is made anew by `named`."""
    if not changes:
        return grader
    written = grader.config if isinstance(grader.config, Mapping) else {}
    changed = read_grader(
        grader.type, {**written, **changes}, where=grader.where, name=grader.given_name, index=grader.index
    )
    return replace(changed, notes=grader.notes)


def named(graders: Sequence[GraderSpec]) -> tuple[GraderSpec, ...]:
    """Give each grader of one type a name of its own: the configured one, else one that tells its settings."""
    given = Counter(grader.given_name for grader in graders)

    def name(k: int, grader: GraderSpec) -> str:
        if grader.given_name is not None:
            return grader.given_name if given[grader.given_name] == 1 else f"{grader.given_name} #{k}"
        return grader.type if len(graders) == 1 else f"{grader.type} #{k}{_summary(grader.settings)}"

    return tuple(replace(grader, name=name(k, grader)) for k, grader in enumerate(graders, start=1))


def _summary(settings: MaxRepeatSettings | None) -> str:
    """Settings in a few words, to tell graders of one stimulus apart."""
    if settings is None:
        return ""
    tools = "every tool" if settings.tools is None else "tools " + " ".join(settings.tools)
    shown = tools if len(tools) <= 60 else f"{tools[:59]}…"
    period = f", max_cycle_period {settings.max_cycle_period}" if settings.max_cycle_period > 1 else ""
    return f" ({shown}, match {settings.match}, max {settings.max}{period})"


def _read_entries(listed: Json, type: str, where: str) -> list[GraderSpec]:
    """The graders of one type."""
    entries = enumerate(listed) if isinstance(listed, list) else ()
    return [_read_entry(entry, f"{where}, grader {k + 1}", k) for k, entry in entries if _type(entry) == type]


def _read_entry(entry: Mapping[str, Json], where: str, index: int) -> GraderSpec:
    given = entry.get("name")
    name = given if isinstance(given, str) and given.strip() else None
    grader = read_grader(str(entry["type"]), entry.get("config"), where=where, name=name, index=index)
    return replace(grader, notes=tuple(f"{where}: {note}" for note in _entry_notes(entry, name)))


def _entry_notes(entry: Mapping[str, Json], name: str | None) -> Iterator[str]:
    if entry.get("name") is not None and name is None:
        yield f"its name is {show(entry['name'])}, which is no text, and is not used."
    for key in entry:
        if key not in _GRADER_KEYS:
            yield f"{key} is {show(entry[key])}; it is kept and has no effect here."


def _type(entry: Json) -> str | None:
    return _text(entry.get("type")) if isinstance(entry, Mapping) else None


def _request(turn: Json) -> str | None:
    """The user's message of one turn, which may stand under `prompt`."""
    return _text(turn.get("prompt")) if isinstance(turn, Mapping) else _text(turn)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

"""Present as markup, the same on the page and in the one file: every text is escaped where it goes in.

The controls of the replay are there from the start, hidden until the script that answers to them has started.
"""

from __future__ import annotations

from loopviz.presenting.cost import Cost
from loopviz.presenting.sets import SetStory
from loopviz.report.markup import Content, Markup, element
from loopviz.timeline.contract import Part
from loopviz.ui.present.told import Told, ToldSet

SPEEDS = (1, 2, 5, 10)
"""Calls a second."""
USUAL_SPEED = 2
_ICONS = {
    "first": "M7 6h2.2v12H7zM18 6v12l-8-6z",
    "back": "M15.5 5.4 8.9 12l6.6 6.6-1.6 1.6L5.7 12l8.2-8.2z",
    "play": "M7 5v14l11-7z",
    "pause": "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
    "forward": "M8.5 5.4 15.1 12l-6.6 6.6 1.6 1.6L18.3 12l-8.2-8.2z",
    "last": "M14.8 6H17v12h-2.2zM6 6v12l8-6z",
}
_BUTTONS = (
    ("first", "First call", "Home"),
    ("back", "One call back", "ArrowLeft"),
    ("play", "Play", "Space"),
    ("forward", "One call on", "ArrowRight"),
    ("last", "Last call", "End"),
)


def story(told: Told) -> Markup:
    """One run, from the headline down to the call line."""
    return element(
        "article",
        element("p", told.of, class_="of"),
        element("h1", pieces(told.headline)),
        None if told.cost is None else _number(told.cost),
        [element("p", words, class_="aside") for words in told.asides],
        [element("div", Markup(svg), class_=f"picture {name}") for name, svg in told.pictures.items()],
        None if told.replay is None else _controls(int(told.replay["n_calls"])),
        None if told.replay is None else _call_line(str(told.replay["note"])),
        class_="story",
    )


def pieces(parts: list[Part]) -> list[Markup]:
    """The pieces of a sentence: names in code style, everything else as it is."""
    return [element("code" if part["kind"] == "code" else "span", part["text"]) for part in parts]


def set_page(told: ToldSet) -> Markup:
    """Many runs, from the headline down."""
    known = told.story
    return element(
        "article",
        element("p", told.of, class_="of"),
        element("h1", known.headline),
        _number(known) if known.n_judged else None,
        [element("p", words, class_="aside") for words in (*known.asides, known.trend_words) if words],
        [element("div", Markup(svg), class_=f"picture {name}") for name, svg in told.pictures.items()],
        class_="story",
    )


def _number(cost: Cost | SetStory) -> Markup:
    how = element(
        "details",
        element("summary", "How this is computed"),
        [element("p", sentence) for sentence in cost.how],
        class_="how",
    )
    said = " ".join(filter(None, (cost.at_most, cost.ending)))
    words = element(
        "div",
        element("p", cost.words, class_="what"),
        element("div", element("span", said), how if cost.how else None, class_="more"),
    )
    return element("div", element("p", cost.figure, class_="figure"), words, class_="number")


def icon(name: str) -> Markup:
    """A sign on a button, drawn in the colour of its text."""
    path = element("path", d=_ICONS[name], fill="currentColor")
    return element("svg", path, viewBox="0 0 24 24", width="20", height="20", aria_hidden="true", class_=f"i-{name}")


def _controls(n_calls: int) -> Markup:
    return element(
        "div",
        element("div", [_button(*each) for each in _BUTTONS], class_="steps", role="group", aria_label="Replay"),
        element(
            "input",
            type="range",
            min="1",
            max=str(n_calls),
            value=str(n_calls),
            step="1",
            class_="where",
            aria_label="Call",
        ),
        element("div", _speeds(), class_="speeds", role="radiogroup", aria_label="Calls a second"),
        class_="controls",
        hidden=True,
    )


def _button(name: str, label: str, key: str) -> Markup:
    icons: Content = [icon("play"), icon("pause")] if name == "play" else icon(name)
    return element(
        "button", icons, type="button", data_do=name, aria_label=label, title=label, aria_keyshortcuts=key, class_=name
    )


def _speeds() -> list[Markup]:
    return [
        element(
            "button",
            str(speed) if speed != SPEEDS[-1] else f"{speed} calls a second",
            type="button",
            role="radio",
            data_speed=str(speed),
            aria_checked="true" if speed == USUAL_SPEED else "false",
            aria_label=f"{speed} call{'' if speed == 1 else 's'} a second",
            tabindex="0" if speed == USUAL_SPEED else "-1",
        )
        for speed in SPEEDS
    ]


def _call_line(note: str) -> Markup:
    return element(
        "div",
        element("p", "Play walks through the run call by call.", class_="call-line"),
        element("p", "Keys: space plays and pauses · ← → one call · Home, End", class_="keys"),
        element("p", note, class_="aside") if note else None,
        class_="below",
        hidden=True,
    )

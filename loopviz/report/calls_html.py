"""The calls of a report as HTML: those that show what repeated in full, the others folded."""

from __future__ import annotations

from loopviz.report.calls import ToldCall, ToldCalls
from loopviz.report.markup import Markup, element
from loopviz.report.pieces import to_call
from loopviz.report.sections import section
from loopviz.report.texts import Text
from loopviz.timeline.words import number


def calls_section(told: ToldCalls, *, redacted: bool) -> Markup | None:
    """Every call that is in the report; each bears its number as the place that `#call-41` leads to."""
    if not told.n_calls:
        return None
    first = [element("article", _who(call, "div"), _body(call), class_="call") for call in told.chosen]
    return section("The calls, as recorded", first, _others(told), id="calls", aside=_aside(redacted))


def _aside(redacted: bool) -> str:
    return "texts left out" if redacted else ""


def _others(told: ToldCalls) -> Markup | None:
    if not told.others:
        return None
    n_others = len(told.others)
    which = "call" if n_others == 1 else "calls"
    title = f"{'The other' if told.chosen else 'All'} {number(n_others)} {which}"
    folded = (
        element("details", _who(call, "summary"), _body(call), class_="call") for call in told.others
    )  # a browser opens what an address leads to by itself
    caption = element("p", told.caption, class_="caption") if told.caption else None
    return element(
        "details",
        element("summary", element("b", title)),
        caption,
        folded,
        class_="others",
        open=not told.chosen and n_others <= 60,
    )


def _who(told: ToldCall, name: str) -> Markup:
    """Which call it is, where it stands, and what part it plays."""
    facts = "".join(f" · {fact}" for fact in told.facts)
    return element(
        name,
        element("span", element("b", f"call {number(told.call + 1)}"), element("bdi", facts), class_="place"),
        element("span", element("bdi", told.tool), class_="tool") if name == "summary" else None,
        element("span", told.role, class_="role") if told.role else None,
        class_="who",
    )


def _body(told: ToldCall) -> Markup:
    return element("div", _content(told), class_="body", id=f"call-{told.call + 1}")


def _content(told: ToldCall) -> list[Markup]:
    tool = element("b", element("bdi", told.tool))
    if told.arguments is None or told.output is None:
        return [element("p", element("code", tool), f" · {told.left_out}" if told.left_out else None, class_="same")]
    said = [_block(one, "said", one.title) for one in told.said]
    if told.unsaid:
        which = "1 earlier text" if told.unsaid == 1 else f"{number(told.unsaid)} earlier texts"
        said.insert(0, element("p", f"{which} before this call not here; the file holds the rest.", class_="cut"))
    if told.same is not None:
        link = to_call(told.same, f"call {number(told.same + 1)}")
        words = element("p", "same call and same output as ", link, ", character for character", class_="same")
        return [*said, element("div", words, class_="part", data_same=str(told.same + 1))]
    return [*said, _arguments(told.arguments, tool), _block(told.output, "output", "output")]


def _arguments(text: Text, tool: Markup) -> Markup:
    """The tool and what it was given, as one reads a command."""
    if text.same is not None or text.missing:
        return element(
            "div",
            element("p", element("code", tool), " · ", _instead(text, "arguments"), class_="same"),
            class_="part",
            data_part="arguments",
            data_same=_same(text),
        )
    gap = "\n" if "\n" in text.shown else " "
    return element("div", element("pre", tool, gap, text.shown), _cut(text), class_="part", data_part="arguments")


def _block(text: Text, part: str, what: str) -> Markup:
    title = element("p", what, class_="what") if part == "said" else None
    if text.same is not None or text.missing:
        return element(
            "div",
            title,
            element("p", _instead(text, what), class_="same"),
            class_=f"part {part}",
            data_part=part,
            data_same=_same(text),
        )
    return element("div", title, element("pre", text.shown), _cut(text), class_=f"part {part}", data_part=part)


def _instead(text: Text, what: str) -> Markup:
    if text.same is None:
        return element("span", text.missing, class_="muted")
    return element("span", f"same {what.lower()} as ", to_call(text.same, f"call {number(text.same + 1)}"))


def _same(text: Text) -> str | None:
    return None if text.same is None else str(text.same + 1)


def _cut(text: Text) -> Markup | None:
    return element("p", text.note, class_="cut") if text.note else None

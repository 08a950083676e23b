"""Two runs beside each other: the controls, and what the page shows of them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from loopviz.comparing.aligning import Alignment, Kind, Walk, align
from loopviz.comparing.doing import show_column
from loopviz.comparing.figures import show_figures
from loopviz.comparing.heading import ALIGN_BY, files_in_words, line, marked_in_words, scale_in_words, title
from loopviz.comparing.picture import draw, mark_place
from loopviz.comparing.sides import Names, Side, Sides, names_of, seen
from loopviz.comparing.table import show_table
from loopviz.comparing.unlike import show_unlike
from loopviz.comparing.verdicts import differing, settings_line, show_verdict
from loopviz.detectors.core.steps import MATCHES
from loopviz.ui import choice as choices
from loopviz.ui.compare.asked import Asked, ask
from loopviz.ui.compare.pairs import found, label, offered, origin, side_of, worth_comparing
from loopviz.ui.components.clean import printable
from loopviz.ui.library import Library

Data = dict[str, Any]
_A, _B, _ALIGN = "compare.a", "compare.b", "compare.align"


def two_runs(library: Library, wanted: Asked) -> tuple[int, int]:
    """The runs that are asked for, and for one that is not there or not asked for another that suits."""
    a, b = found(library, wanted.a), found(library, wanted.b)
    if a is not None and b is not None:
        return a, b
    one = a if a is not None else b
    chosen = one if one is not None else found(library, st.session_state.get("run"))
    pair = worth_comparing(library, chosen)
    if one is None:
        return pair
    other = pair[1] if pair[0] == one else pair[0]
    return (one, other) if a is not None else (other, one)


def run_controls(library: Library, a: int, b: int, wanted: Asked) -> None:
    """Which two, and the way of "same" by which their steps are matched."""
    run_list(library, "A", _A, a, "a")
    run_list(library, "B", _B, b, "b")
    st.button("Swap", key="compare.swap", on_click=ask, kwargs={"a": library.key(b), "b": library.key(a)})
    st.session_state[_ALIGN] = wanted.align
    st.segmented_control(
        "Align steps by",
        MATCHES,
        required=True,
        format_func=ALIGN_BY.__getitem__,
        key=_ALIGN,
        on_change=lambda: ask(align=st.session_state[_ALIGN]),
    )


def run_list(library: Library, name: str, key: str, index: int, field: str) -> None:
    """The list of the runs of a side."""
    st.session_state[key] = index
    st.selectbox(
        name,
        offered(library, index),
        format_func=lambda place: printable(seen(label(library, place))),
        key=key,
        on_change=lambda: ask(**{field: library.key(st.session_state[key])}),
    )


def n_columns(library: Library, a: int, b: int, wanted: Asked) -> int:
    """Steps of both runs in one row."""
    return len(_aligned(library, a, b, wanted))


def _aligned(library: Library, a: int, b: int, wanted: Asked) -> Alignment:
    return align(library.together((a, b)), wanted.align, choices.current().unknown)


def compared(library: Library, a: int, b: int, wanted: Asked) -> tuple[Sides, Alignment, Names]:
    """Both runs as they are judged, and their steps in columns."""
    sides = side_of(library, a), side_of(library, b)
    return sides, _aligned(library, a, b, wanted), names_of(sides[0].trajectory, sides[1].trajectory)


def show_runs(library: Library, a: int, b: int, wanted: Asked) -> tuple[str, Data, Data]:
    """(headline, the line below it, every section below the controls)."""
    sides, aligned, names = compared(library, a, b, wanted)
    judged = settings_line(sides, (origin(library, a), origin(library, b)))
    differ = differing(sides[0].settings, sides[1].settings)
    bare = any(_is_bare(side, walk) for side, walk in zip(sides, aligned.sides, strict=True))
    drawable = len(aligned) > 0 and not bare
    scale = scale_in_words(sides, aligned, _told_apart(library, a, b, aligned)) if drawable else ""
    columns = library.together((a, b)).columns
    column = wanted.column if wanted.column is not None and wanted.column < len(aligned) else None
    shown = column if column is not None else aligned.mark
    picture = None
    if drawable:
        name = f"{library.key(a)} {library.key(b)} {wanted.align}"
        picture = draw(
            sides,
            aligned,
            name=name,
            marked=aligned.mark,
            mark=mark_place(sides, aligned),
            flag=marked_in_words(aligned),
        )
    sections: Data = {
        "picture": {
            "verdicts": [show_verdict(side, at, names.short[at]) for at, side in enumerate(sides)],
            "picture": picture,
            "selected": column,
        },
        "foot": [" ".join(filter(None, [scale, judged, files_in_words(sides)]))],
        "middle": {
            "column": None
            if shown is None or not drawable
            else show_column(sides, aligned, shown, chosen=column is not None and column != aligned.mark),
            "figures": {"title": "In figures", "rows": show_figures(sides)},
            "settings": {"title": "Settings that differ", "rows": differ} if differ else None,
        },
        "unlike": show_unlike(sides, aligned, columns, wanted.unlike if column is None else column),
        "words": {**show_table(sides, aligned), "heads": ["A", "", "B"]} if drawable else None,
    }
    finding = "A and B are the same run" if a == b else title(sides, aligned, names)
    return finding, {"line": line(sides, aligned, names) if drawable else None}, sections


def _told_apart(library: Library, a: int, b: int, aligned: Alignment) -> int | None:
    """Steps in both if values that were not recorded were told apart; None where they are, or where there are none."""
    if choices.current().unknown == "distinct" or not aligned.count(Kind.UNRECORDED):
        return None
    return align(library.together((a, b)), aligned.match, "distinct").n_common


def _is_bare(side: Side, walk: Walk) -> bool:
    """Whether the file holds nothing of what the run did."""
    return side.trajectory.not_judged is not None and not len(walk)

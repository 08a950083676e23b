"""What stays out of an export and what is put on it, asked for in the same words wherever something is exported."""

from __future__ import annotations

from datetime import date

import streamlit as st

from loopviz.report.export import Export


def export_options(key: str) -> Export:
    """Draw the three options and give what they say; `key` begins their keys."""
    note = st.text_input("Note at the top", key=f"{key}.note", placeholder="none", live="250ms")
    redact = st.toggle(
        "Leave out texts (redact)",
        key=f"{key}.redact",
        help="Leaves out arguments, outputs, prompts, messages, reasoning, errors, ids, paths, names of files and of "
        "runs, which are called by their digests. Names of stimuli, models, tools and graders stay.",
    )
    masked = st.toggle(
        "Mask what looks like a secret",
        value=True,
        key=f"{key}.masked",
        help="Goes by looks alone: read what you hand on.",
    )
    return Export(date=date.today(), redact=redact, masked=masked, note=note)

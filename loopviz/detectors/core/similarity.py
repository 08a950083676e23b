"""How alike the arguments of two calls are: the Jaccard score of their words.

Decided:

- What separates words: `space` splits at white space, `word` at everything that is neither a letter nor a digit, in any
  alphabet.

Source: SPEC, section 2.
"""

from __future__ import annotations

import re
from typing import Literal

from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.normalise import normalised

Tokens = Literal["space", "word"]

_ASCII_WORD = re.compile(r"[0-9A-Za-z]+")


def split_words(text: str, tokens: Tokens) -> set[str]:
    """The words of normalised arguments.

    Args:
        text: Normalised arguments.
        tokens: `space` splits at white space, `word` at everything that is neither a letter nor a decimal digit.
    """
    if tokens == "space":
        return set(text.split())
    if text.isascii():
        return set(_ASCII_WORD.findall(text))
    return set("".join(sign if sign.isalpha() or sign.isdecimal() else " " for sign in text).split())


def jaccard(some: set[str], others: set[str]) -> float:
    """Share of the words of either that both have; two empty sets score 1."""
    both = len(some & others)
    either = len(some) + len(others) - both
    return both / either if either else 1.0


class Similarity:
    """The scores of pairs of arguments, each worked out when first asked for and then kept.

    Made once for some columns and one way of splitting words; no other setting touches it. It keeps texts and scores,
    not sets: most arguments are a single word, which a set would hold at several times its size.
    """

    def __init__(self, columns: Columns, tokens: Tokens) -> None:
        self.tokens: Tokens = tokens
        self._keys = columns.keys
        self._texts: dict[int, str] = {}
        self._scores: dict[int, float] = {}

    def text(self, code: int) -> str:
        """Normalised arguments of an identity."""
        text = self._texts.get(code)
        if text is None:
            text = self._texts[code] = normalised(self._keys[code])
        return text

    def score(self, some: int, other: int) -> float:
        """Jaccard score of two identities, 0 to 1; equal ones score 1 without a look at their texts."""
        if some == other:
            return 1.0
        pair = some * len(self._keys) + other
        score = self._scores.get(pair)
        if score is None:
            score = self._scores[pair] = self._compare(self.text(some), self.text(other))
        return score

    def _compare(self, some: str, other: str) -> float:
        if some == other:
            return 1.0
        return jaccard(split_words(some, self.tokens), split_words(other, self.tokens))

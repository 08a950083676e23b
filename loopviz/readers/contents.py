"""What a tool gave back, and what a model asked for, as formats wrap them: content blocks, and JSON inside a text."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import NamedTuple

from loopviz.model import Json
from loopviz.readers.decoding import decode_text, spell
from loopviz.readers.texts import is_text

_TEXTS = frozenset(("text", "input_text", "output_text", "summary_text"))
_MEDIA = {
    "image": "image", "image_url": "image", "input_image": "image", "output_image": "image", "inlineData": "image",
    "computer_screenshot": "image",
    "audio": "audio", "input_audio": "audio", "output_audio": "audio",
    "video": "video", "video_url": "video",
    "document": "document", "file": "document", "input_file": "document",
}  # fmt: skip
MARK_BYTES = 4


class Flat(NamedTuple):
    """A result without its wrapping."""

    value: Json
    left_out: tuple[str, ...] = ()
    """What sort of thing each mark in it stands for: `image`, `audio`, `video` or `document`."""


def flatten(content: Json) -> Flat:
    """Take a result out of its content blocks: texts joined by line ends, anything else as it is.

    An image becomes a mark such as `[image 5e1d09aa]` that two images share only when they are the same, so that two
    screenshots are not taken for one. A block of another sort becomes its JSON. A list that holds no blocks is no
    wrapping and stays what it is; so does an empty one.
    """
    if isinstance(content, list) and len(content) == 1 and (said := _plain_text(content[0])) is not None:
        return Flat(said)
    if isinstance(content, dict) and _is_block(content):
        return flatten([content])
    if not isinstance(content, list) or not content or not all(map(_is_block, content)):
        return Flat(content)
    return Flat("\n".join(map(_as_text, content)), media_in(content))


def media_in(content: Json) -> tuple[str, ...]:
    """What sort of thing each block is that is no text but an image, audio, video or a document."""
    blocks = content if isinstance(content, list) else [content]
    return tuple(_MEDIA[block["type"]] for block in blocks if _is_media(block))


def texts_in(content: Json) -> str:
    """What a message says in its text blocks alone, a line for each: calls, results and images are told otherwise."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else [content]
    if len(blocks) == 1 and (alone := _plain_text(blocks[0])) is not None:
        return alone
    said = (block if isinstance(block, str) else _text_of(block) for block in blocks)
    return "\n".join(filter(None, said))


def parse_arguments(arguments: Json, drop: Collection[str] = ()) -> Json:
    """Arguments as a value: the object or list that a text spells; any other text, raw input of a tool, stays a text.

    Args:
        drop: Names that are no arguments of the tool's: `thought` differs at each call and would hide a loop.
    """
    value = decode_text(arguments) if type(arguments) is str else arguments
    if drop and isinstance(value, dict):
        return {name: argument for name, argument in value.items() if name not in drop}
    return value


def _is_block(part: Json) -> bool:
    if isinstance(part, str):
        return True
    return isinstance(part, dict) and (is_text(part.get("type")) or part.keys() == {"text"})


def _is_media(block: Json) -> bool:
    return isinstance(block, dict) and is_text(block.get("type")) and block["type"] in _MEDIA


def _as_text(block: Json) -> str:
    if isinstance(block, str):
        return block
    text = _text_of(block)
    if text is not None:
        return text
    if _is_media(block):
        return f"[{_MEDIA[block['type']]} {blake2b(spell(block), digest_size=MARK_BYTES).hexdigest()}]"
    return spell(block).decode("utf-8", "replace")


def _plain_text(block: Json) -> str | None:
    """The text of a block that says it is one, as nearly all are."""
    if not isinstance(block, dict) or block.get("type") != "text":
        return None
    text = block.get("text")
    return text if isinstance(text, str) else None


def _text_of(block: Json) -> str | None:
    """The text of a text block; None for any other."""
    if not isinstance(block, dict):
        return None
    kind = block.get("type", "text")
    if not isinstance(kind, str) or kind not in _TEXTS:
        return None
    text = block.get("text")
    return text if isinstance(text, str) else None

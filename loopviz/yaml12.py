"""Read YAML as its version 1.2 means it, JSON included, and write it so that older readers agree.

The grader's specs are read by a JavaScript parser. PyYAML keeps to version 1.1, where `no` is false, `010` is 8 and
`1:30` is 90; here they are a text, 10 and a text. What is built is what that parser hands on: decoded JSON, with
numbers that are doubles, texts for keys, and `<<` as a key like any other. Stricter than the parser on purpose: a key
given twice, a tag that makes an object, and aliases that stand for a huge document are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import yaml
from yaml.composer import Composer
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.resolver import BaseResolver
from yaml.scanner import Scanner

from loopviz.canonical import MAX_DEPTH
from loopviz.model import Json

_TOO_DEEP = "the values are nested too deeply"
_OLD_BREAKS = "\x85\u2028\u2029"
"""Line breaks of version 1.1, characters like any other in 1.2."""
_PRIVATE = range(0xE000, 0xF900)
"""Characters that stand for nothing by themselves."""

MAX_ALIASED = 100_000
"""How many values all aliases of a document may stand for, written out."""


class YamlError(ValueError):
    """A text that is not YAML, or is refused; the message begins with the place where there is one."""

    def __init__(self, problem: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem if line is None else f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


def load(text: str) -> Json:
    """Decode one YAML 1.2 document.

    Raises:
        YamlError: saying what is wrong and in which line and column, counted from 1.
    """
    text = text.removeprefix("\ufeff")
    with _not_too_deep():
        value = _load_json(text) if _looks_like_json(text) else _load_yaml(text)
    return _shallow(value)


def load_with_events(text: str) -> tuple[Json, list[yaml.Event]]:
    """What `load` and `events` give, for the price of one wherever the text is not JSON.

    Args:
        text: As for `events`.
    Raises:
        YamlError: as `load` does.
    """
    if _looks_like_json(text):
        return load(text), events(text)
    with _not_too_deep(), _in_plain_words(text):
        loader = _Recorder(text)
        node = loader.get_single_node()
        value = None if node is None else _Builder().build(node)
    return _shallow(value), loader.heard


def _looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


@contextmanager
def _not_too_deep() -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise YamlError(_TOO_DEEP) from None


def _shallow(value: Json) -> Json:
    """A value that is nested no deeper than is read.

    Raises:
        YamlError: for one that is.
    """
    if _is_deep(value):
        raise YamlError(_TOO_DEEP)
    return value


def _is_deep(value: Json) -> bool:
    """Whether a value is nested deeper than `MAX_DEPTH`."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [item for outer in level for item in _items(outer)]
    return any(isinstance(item, dict | list) for item in level)


def _items(value: Json) -> Iterable[Json]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _load_json(text: str) -> Json:
    """Decode JSON, which PyYAML does not read whole (tabs, pairs of surrogates); anything else goes to YAML."""
    try:
        return json.loads(text, parse_int=_decimal, object_pairs_hook=_object, parse_constant=_no_constant)
    except ValueError:
        return _load_yaml(text)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    decoded = dict(pairs)
    if len(decoded) < len(pairs):
        raise ValueError("a key is given twice")
    return decoded


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _load_yaml(text: str) -> Json:
    with _in_plain_words(text):
        node = _Loader(text).get_single_node()
    return None if node is None else _Builder().build(node)


def events(text: str) -> list[yaml.Event]:
    """The parts of a text in the order they are written, with their places: for changing it where it stands.

    Args:
        text: Without a byte order mark; JSON is read as YAML. Places count its characters.
    Raises:
        YamlError: as `load` does for what is not YAML; aliases, tags and keys are not looked at.
    """
    with _in_plain_words(text):
        loader = _Loader(text)
        return list(iter(loader.get_event, None))


@contextmanager
def _in_plain_words(text: str) -> Iterator[None]:
    try:
        yield
    except yaml.MarkedYAMLError as error:
        problem = _IN_PLAIN_WORDS.get(error.problem or "", error.problem)
        raise _error(", ".join(filter(None, (error.context, problem))), error.problem_mark) from None
    except ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n") + 1, error.position - before.rfind("\n")
        raise YamlError(f"the character U+{error.character:04X} is not allowed", line=line, column=column) from None


_IN_PLAIN_WORDS = {
    "mapping values are not allowed here": "a colon is not allowed here; a text with a colon in it needs quotes",
    "found character '\\t' that cannot start any token": "a tab cannot indent a line; use spaces",
}


def _error(problem: str, mark: yaml.Mark | None) -> YamlError:
    return YamlError(problem) if mark is None else YamlError(problem, line=mark.line + 1, column=mark.column + 1)


class _Loader(Reader, Scanner, Parser, Composer, BaseResolver):
    """Text in, nodes out: PyYAML's syntax, save where version 1.2 is wider. What a plain scalar is, is left open."""

    def __init__(self, text: str) -> None:
        stand_ins = dict(zip(_old_breaks(text), _unused(text), strict=False))
        self._breaks_by_stand_in = {ord(stand_in): char for char, stand_in in stand_ins.items()}
        Reader.__init__(self, text.translate({ord(char): stand_in for char, stand_in in stand_ins.items()}))
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        BaseResolver.__init__(self)

    def scan_to_next_token(self) -> None:
        """Skip spaces, line breaks and comments, and tabs too unless they indent."""
        super().scan_to_next_token()
        while tabs := self._tabs_to_skip():
            self.forward(tabs)
            super().scan_to_next_token()

    def _tabs_to_skip(self) -> int:
        tabs = 0
        while self.peek(tabs) == "\t":
            tabs += 1
        line_so_far = self.buffer[self.pointer - self.column : self.pointer]
        indents = not self.flow_level and not line_so_far.strip() and self.peek(tabs) not in "\0\r\n#"
        return 0 if indents else tabs

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        """As PyYAML does, but an anchor may be given anew."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if not isinstance(event, yaml.AliasEvent):
            self.anchors.pop(event.anchor, None)
        return super().compose_node(parent, index)

    def compose_scalar_node(self, anchor: Any) -> ScalarNode:
        """As PyYAML does, with its line breaks that are none put back."""
        node = super().compose_scalar_node(anchor)
        node.value = node.value.translate(self._breaks_by_stand_in)
        return node

    def resolve(self, kind: type[Node], value: Any, implicit: Any) -> str:
        """The tag of a node that names none."""
        if kind is ScalarNode and implicit[0]:
            return _PLAIN_TAG
        return str(super().resolve(kind, value, implicit))  # type: ignore[no-untyped-call]


class _Recorder(_Loader):
    """Keeps the parts that it makes nodes of."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.heard: list[yaml.Event] = []

    def get_event(self) -> yaml.Event:
        """The next part."""
        event: yaml.Event = super().get_event()  # type: ignore[no-untyped-call]
        self.heard.append(event)
        return event


def _old_breaks(text: str) -> list[str]:
    return [char for char in _OLD_BREAKS if char in text]


def _unused(text: str) -> Iterator[str]:
    """Characters that may stand for others, since the text has none of them."""
    return (char for char in map(chr, _PRIVATE) if char not in text)


class _Builder:
    """Nodes in, decoded JSON out. A node that aliases refer to becomes one value, shared."""

    def __init__(self) -> None:
        self._built: dict[Node, tuple[Json, int]] = {}
        self._open: set[Node] = set()
        self._aliased = 0

    def build(self, root: Node) -> Json:
        """The value of a whole document."""
        return self._value(root)[0]

    def _value(self, node: Node) -> tuple[Json, int]:
        """A node's value, and how many values it stands for when aliases are written out."""
        if node in self._open:
            raise _error("an alias refers to a value that it is itself a part of", node.start_mark)
        if node in self._built:
            self._aliased += self._built[node][1]
            if self._aliased > MAX_ALIASED:
                raise _error(f"the aliases stand for more than {MAX_ALIASED:,} values", node.start_mark)
            return self._built[node]
        self._open.add(node)
        if isinstance(node, MappingNode):
            built = self._mapping(node)
        elif isinstance(node, SequenceNode):
            built = self._sequence(node)
        else:
            assert isinstance(node, ScalarNode)
            built = _scalar(node), 1
        self._open.discard(node)
        self._built[node] = built
        return built

    def _sequence(self, node: SequenceNode) -> tuple[Json, int]:
        _require_tag(node, "seq")
        items = [self._value(item) for item in node.value]
        return [value for value, _ in items], 1 + sum(size for _, size in items)

    def _mapping(self, node: MappingNode) -> tuple[Json, int]:
        _require_tag(node, "map")
        built: dict[str, Json] = {}
        total = 1
        for key_node, value_node in node.value:
            key = _key(key_node)
            if key in built:
                raise _error(f"the key {json.dumps(key)} is given twice in one mapping", key_node.start_mark)
            built[key], size = self._value(value_node)
            total += size
        return built, total


def _require_tag(node: Node, kind: str) -> None:
    if node.tag != f"{_STANDARD}{kind}":
        raise _error(f"the tag {node.tag} is not supported", node.start_mark)


def _key(node: Node) -> str:
    """A key as the grader's parser turns it into a property name: `1.0` is `1`, no text is the empty one."""
    if not isinstance(node, ScalarNode):
        raise _error("a key must be a text, not a list or a mapping", node.start_mark)
    value = _scalar(node)
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


_PLAIN_TAG = ""
_STANDARD = "tag:yaml.org,2002:"


def _scalar(node: ScalarNode) -> Json:
    """A scalar's value: by its tag where it has one, else a text in quotes, else what its spelling says."""
    text: str = node.value
    if node.tag == f"{_STANDARD}str":
        return _joined(text)
    for kind, spelling, read in _SPELLINGS:
        if node.tag in (_PLAIN_TAG, f"{_STANDARD}{kind}") and spelling.fullmatch(text):
            return read(text)
    if node.tag == _PLAIN_TAG:
        return text
    raise _error(f"the tag {node.tag} does not fit here", node.start_mark)


def _joined(text: str) -> str:
    """A text in which two escapes that make one character, as in JSON, are that character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _decimal(text: str) -> int | float:
    """A whole number as a double holds it; an int as long as it is exact."""
    as_double = float(text)
    return int(text) if abs(as_double) < 2**53 else as_double


def _octal(text: str) -> int | float:
    return _rounded(int(text[2:], 8))


def _hexadecimal(text: str) -> int | float:
    return _rounded(int(text[2:], 16))


def _rounded(value: int) -> int | float:
    try:
        return value if value < 2**53 else float(value)
    except OverflowError:
        return float("inf")


_SPELLINGS: tuple[tuple[str, re.Pattern[str], Callable[[str], Json]], ...] = (
    ("null", re.compile(r"~|null|Null|NULL|"), lambda text: None),
    ("bool", re.compile(r"[Tt]rue|TRUE|[Ff]alse|FALSE"), lambda text: text[0] in "tT"),
    ("int", re.compile(r"[-+]?[0-9]+"), _decimal),
    ("int", re.compile(r"0o[0-7]+"), _octal),
    ("int", re.compile(r"0x[0-9a-fA-F]+"), _hexadecimal),
    ("float", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    ("float", re.compile(r"[-+]?\.(inf|Inf|INF)"), lambda text: float(text.replace(".", ""))),
    ("float", re.compile(r"\.(nan|NaN|NAN)"), lambda text: float("nan")),
)
"""The core schema: what a scalar without quotes may be other than a text."""


def dump(value: Json) -> str:
    """Write decoded JSON as YAML that every version reads alike: mappings in blocks, texts in double quotes."""
    return "\n".join(_lines(value)) + "\n"


def _lines(value: Json) -> list[str]:
    """A value in block style, one line each; lists of plain values and whatever is empty stay on one line."""
    if isinstance(value, dict) and value:
        return [line for key, item in value.items() for line in _entry(f"{_key_text(key)}:", item)]
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return [line for item in value for line in _after_dash(_lines(item))]
    return [_flow(value)]


def _entry(head: str, value: Json) -> list[str]:
    lines = _lines(value)
    if isinstance(value, dict | list) and lines != [_flow(value)]:
        return [head, *(f"  {line}" for line in lines)]
    return [f"{head} {value if isinstance(value, str) and _WORD.fullmatch(value) else lines[0]}"]


def _after_dash(lines: list[str]) -> list[str]:
    return [f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]


_WORD = re.compile(r"(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z]+(?:[-_][a-z]+)*")
"""A text that no version of YAML takes for anything else."""


def _key_text(key: str) -> str:
    return key if _WORD.fullmatch(key) else _quoted(key)


def _flow(value: Json) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key_text(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float) and value - value != 0:
        return {"inf": ".inf", "-inf": "-.inf"}.get(str(value), ".nan")
    return json.dumps(value)


def _quoted(text: str) -> str:
    """A text in double quotes, whatever cannot be seen escaped."""
    return "".join(char if char.isprintable() else _escape(char) for char in json.dumps(text, ensure_ascii=False))


def _escape(char: str) -> str:
    return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}"

"""Brute-force readings of what the live guards do, for tests. Slow on purpose; they share no code with the detectors.

A call is a dict as `call` makes it; arguments and observations are decoded JSON, None where there are none.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

Json = Any
Call = dict[str, Any]

URL = r"""(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,31}://[^\s"'<>]*"""
WINDOWS = r"""(?<!\w)(?:[a-z]:\\|\\\\)(?:[^\s\\/"'<>|:*?]+\\)*([^\s\\/"'<>|:*?]+)\\?"""
POSIX = r"(?<![\w.~/:@+-])(?=[\w.@+~-]*/)(?:~?/)?(?:[\w.@+-]+/)*([\w.@+-]+)/?"
TIMESTAMP = (
    r"\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?"
    r"|(?<!\d)\d\d:\d\d:\d\d(?:[.,]\d+)?"
)
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
NUMBER = r"(?<![0-9a-z_])\d{6,}(?:\.\d+)?(?![0-9a-z_])"


def call(
    tool: str = "bash",
    arguments: Json = "a",
    observation: Json = "x",
    *,
    watched: bool = True,
    executed: bool = True,
    unknown_arguments: bool = False,
    unknown_observation: bool = False,
) -> Call:
    return {
        "tool": tool,
        "arguments": arguments,
        "observation": observation,
        "watched": watched,
        "executed": executed,
        "unknown_arguments": unknown_arguments,
        "unknown_observation": unknown_observation,
    }


# Normalised arguments


def normalised_leaf(text: str) -> str:
    text = text.lower()
    result = ""
    end = 0
    for url in re.finditer(URL, text):
        result += _cut_paths(text[end : url.start()]) + url.group()
        end = url.end()
    result += _cut_paths(text[end:])
    for pattern in (TIMESTAMP, UUID, NUMBER):
        result = re.sub(pattern, "", result)
    return result


def _cut_paths(text: str) -> str:
    return re.sub(POSIX, r"\1", re.sub(WINDOWS, r"\1", text))


def normalised(value: Json) -> str:
    if value is None:
        return ""
    tree = _normalised_tree(value)
    return (tree if isinstance(tree, str) else _write(tree))[:200]


def _normalised_tree(value: Json) -> Json:
    if isinstance(value, str):
        return normalised_leaf(value)
    if isinstance(value, list):
        return [_normalised_tree(item) for item in value]
    if isinstance(value, dict):
        return {key.lower(): _normalised_tree(value[key]) for key in sorted(value)}
    if isinstance(value, bool) or value is None:
        return value
    return "" if abs(value) >= 100_000 else value


def _write(value: Json) -> str:
    if isinstance(value, list):
        return f"[{','.join(map(_write, value))}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{_write(key)}:{_write(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, str | bool) or value is None:
        return json.dumps(value, ensure_ascii=False)
    return javascript_number(value)


def javascript_number(number: float) -> str:
    """Number::toString of the ECMAScript standard, step by step."""
    if number == 0:
        return "0"
    if number < 0:
        return "-" + javascript_number(-number)
    _, figures, exponent = Decimal(repr(float(number))).normalize().as_tuple()
    assert isinstance(exponent, int)
    digits = "".join(map(str, figures))
    k = len(digits)
    n = k + exponent
    if k <= n <= 21:
        return digits + "0" * (n - k)
    if 0 < n <= 21:
        return f"{digits[:n]}.{digits[n:]}"
    if -6 < n <= 0:
        return f"0.{'0' * -n}{digits}"
    mantissa = digits[0] + (f".{digits[1:]}" if k > 1 else "")
    return f"{mantissa}e{'+' if n > 0 else '-'}{abs(n - 1)}"


def words(text: str, tokens: str) -> set[str]:
    if tokens == "space":
        return set(text.split())
    found, word = set(), ""
    for sign in text + " ":
        if sign.isalpha() or sign.isdecimal():
            word += sign
        elif word:
            found.add(word)
            word = ""
    return found


def score(some: Json, other: Json, tokens: str) -> float:
    a, b = words(normalised(some), tokens), words(normalised(other), tokens)
    return len(a & b) / len(a | b) if a | b else 1.0


# The ladder


def climb(calls: list[Call], settings: dict[str, Any], unknown: str) -> tuple[list[int], list[tuple[int, int]]]:
    """(length of the stretch at each watched call, [(level, watched call) fired]) of one run."""
    levels = {settings["replan"]: 1, settings["explore"]: 2, settings["force_done"]: 3}
    lengths: list[int] = []
    fired = []
    head: Call | None = None
    for action in [action for action in calls if action["watched"]]:
        if head is not None and _similar(head, action, settings, unknown):
            lengths.append(lengths[-1] + 1)
        else:
            head = action
            lengths.append(1)
        if lengths[-1] in levels:
            fired.append((levels[lengths[-1]], len(lengths) - 1))
    return lengths, fired


def _similar(head: Call, action: Call, settings: dict[str, Any], unknown: str) -> bool:
    if unknown == "distinct" and (head["unknown_arguments"] or action["unknown_arguments"]):
        return False
    if settings["same_tool"] and head["tool"] != action["tool"]:
        return False
    return score(head["arguments"], action["arguments"], settings["tokens"]) >= settings["similarity"]


# Thrash


def thrash(
    calls: list[Call], settings: dict[str, Any], unknown: str
) -> tuple[str | None, int, int | None, int | None, list[int]]:
    """(kind, count, watched call, call, identical calls so far at each watched call) of one run."""
    finish = settings["finish_tools"]
    watched = [(number, action) for number, action in enumerate(calls) if action["watched"]]
    totals: dict[Any, int] = {}
    past: list[tuple[Any, Any]] = []
    in_a_row = empties = highest = 0
    stop: tuple[str, int, int] | None = None
    so_far = []
    for place, (number, action) in enumerate(watched):
        if action["tool"] in finish or not (action["executed"] or settings["count_unexecuted"]):
            so_far.append(0)
            continue
        key, observation = _key(action, settings, unknown), _observation(action, unknown)
        near_empty = is_near_empty(action["observation"])
        if unknown == "distinct" and action["unknown_observation"]:
            near_empty = False
        same = bool(past) and past[-1][0] == key
        in_a_row = in_a_row + 1 if same else 1
        empties = 0 if not near_empty else empties + 1 if same else 1
        totals[key] = totals.get(key, 0) + 1
        past.append((key, observation))
        identical = in_a_row if settings["scope"] == "consecutive" else totals[key]
        so_far.append(identical)
        if stop is not None:
            continue
        highest = max(highest, identical)
        if identical >= settings["n"]:
            stop = ("identical", place, number)
        elif settings["empty_retry"] is not None and empties > settings["empty_retry"]:
            stop = ("empty-retry", place, number)
            highest = settings["empty_retry"] + 1
        elif settings["ping_pong"] and _alternates(past[-4:]):
            stop = ("ping-pong", place, number)
    if stop is None:
        return None, highest, None, None, so_far
    return stop[0], highest, stop[1], stop[2], so_far


def _alternates(last: list[tuple[Any, Any]]) -> bool:
    if len(last) < 4:
        return False
    first, second, third, fourth = last
    return first == third and second == fourth and first[0] != second[0]


def _key(action: Call, settings: dict[str, Any], unknown: str) -> Any:
    if unknown == "distinct" and action["unknown_arguments"]:
        return object()
    arguments = without(action["arguments"], settings["ignore_args"])
    schemas = settings["schemas"]
    if action["tool"] in schemas:
        arguments = only_declared(arguments, schemas[action["tool"]])
    return action["tool"], json.dumps(arguments, sort_keys=True)


def _observation(action: Call, unknown: str) -> Any:
    if unknown == "distinct" and action["unknown_observation"]:
        return object()
    return json.dumps(action["observation"], sort_keys=True)


def without(value: Json, names: Any) -> Json:
    if isinstance(value, list):
        return [without(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    left = {}
    for key in value:
        if key not in names:
            left[key] = without(value[key], names)
    return left


def only_declared(value: Json, schema: Json) -> Json:
    """For schemas of objects that name their properties, and of lists of such."""
    if isinstance(value, list) and "items" in schema:
        return [only_declared(item, schema["items"]) for item in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    left = {}
    for key in value:
        if key in schema["properties"]:
            left[key] = only_declared(value[key], schema["properties"][key])
        elif schema.get("additionalProperties") is True:
            left[key] = value[key]
        elif isinstance(schema.get("additionalProperties"), dict):
            left[key] = only_declared(value[key], schema["additionalProperties"])
    return left


def is_near_empty(observation: Json) -> bool:
    """For texts, lists and objects without `content`."""
    if isinstance(observation, str):
        return observation.strip() in ("", "[]", "{}", "null", '""')
    return observation is None or observation == {} or observation == []

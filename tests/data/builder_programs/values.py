"""Random texts, JSON values and tool calls."""

import datetime
import decimal
import json
import math

PIECES = [
    "Hello", ", ", "world", "!", " ", "", "The weather in Hangzhou is fine. ", "\n", "\r\n", "\t", "\\", '"', "'", "/",
    "你好", "世界", "，", "杭州的天气怎么样？", "こんにちは", "안녕", "مرحبا", "שלום", "Ünïcödé", "e\u0301", "ﬁ", "ß",
    "🙂", "👨‍👩‍👧‍👦", "🇨🇳", "🏳️‍🌈", "𝒜", "\u2028", "\u2029", "\u0085", "\u200b", "\ufeff", "\u0000", "\u001f", "\u007f",
    "data: ", "data:", "[DONE]", "event: x\n\n", ": comment", "{", "}", "[", "]", "null", "<script>", "```json\n", "$&",
    "0", "-1.5e3", "\ud7ff", "\ue000", "\ufffd", "\uffff", "\U0010ffff",
]

KEYS = [
    "a", "b", "n", "list", "object", "text", "名", "🙂", "", "0", "10", "__proto__", "constructor", "toString", "a.b",
    "a/b~c", "\u2028", "type", "content", "data", "length", "arguments",
]

INTEGERS = [0, 1, -1, 2, 7, 100, 2**31, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**64, 10**30, -(10**40)]

FLOATS = [0.1, 0.2, 0.30000000000000004, -0.0, 1.0, 2.5, -3.75, 1e-7, 1e16, 1e21, 1.5e300, 5e-324, 123456789.125]

TOOLS = ["get_weather", "search", "天气", "run_code", "mcp__files__read"]


def text(dice):
    """A text of a few pieces; rarely a long one, or one that cannot be sent."""
    if dice.random() < 0.0008:
        return "half of a character: \ud83d"
    if dice.random() < 0.03:
        return dice.choice(PIECES[:30]) * dice.randint(20, 60)
    return "".join(dice.choices(PIECES, k=dice.choice([1, 1, 1, 2, 3])))


def value(dice, depth=0):
    """A JSON value."""
    kind = dice.random()
    if kind < 0.35:
        return text(dice)
    if kind < 0.55:
        return dice.choice(INTEGERS) + dice.choice([0, 0, 1])
    if kind < 0.65:
        return dice.choice(FLOATS)
    if kind < 0.72:
        return dice.random() < 0.5
    if kind < 0.76 or depth == 3:
        return None
    if kind < 0.88:
        return [value(dice, depth + 1) for _ in range(dice.randint(0, 3))]
    return obj(dice, depth + 1)


def obj(dice, depth=0, least=0):
    """A JSON object. Few keys to choose from, so that pieces of one data meet under the same key."""
    few = KEYS if dice.random() < 0.3 else KEYS[:6]
    return {key: value(dice, depth) for key in dice.choices(few, k=dice.randint(least, 4))}


def python_value(dice):
    """A value that has no JSON type of its own, though the library writes it."""
    return dice.choice(
        [
            (1, "two"),
            decimal.Decimal("1.50"),
            datetime.date(2026, 1, 2),
            b"bytes",
            math.nan,
            math.inf,
            {1: "one", 2.5: "half", None: "nothing"},
        ]
    )


def is_plain(value):
    """Whether a value is of the types that JSON has."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(member) for key, member in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, (str, int))


def has_null(value):
    """Whether there is a null anywhere in a value."""
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return value is None


def arguments(dice):
    """Arguments of a tool, as the JSON text that a model writes; rarely no JSON."""
    if dice.random() < 0.08:
        return dice.choice(['{"city": ', "", "city=杭州", '{"path":"C:\\Users"}'])
    return json.dumps(obj(dice, depth=2, least=1), ensure_ascii=dice.random() < 0.5)


def cut(dice, text):
    """A text in pieces that may be empty."""
    places = sorted(dice.randint(0, len(text)) for _ in range(dice.randint(0, 3)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)])]

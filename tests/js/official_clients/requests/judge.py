"""Judges requests of model APIs by the types of the official Python clients.

Reads JSON lines from standard input, each with `protocol` (`chat`, `responses`, `anthropic` or `gemini`) and `request`, the body. Writes
a JSON line for each: the list of errors, which is empty if the request is valid. A member that the types do not have is an error.
"""

import json
import sys
import typing
import warnings

# The parameter types declare lists as `Iterable`, which pydantic validates only when it is iterated. The clients are imported after this.
typing.Iterable = typing.List

from google.genai import types as gemini_types  # noqa: E402
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError  # noqa: E402
from typing_extensions import is_typeddict  # noqa: E402

import anthropic.types.beta.message_create_params as anthropic_beta  # noqa: E402
import anthropic.types.message_create_params as anthropic  # noqa: E402
from anthropic._models import BaseModel as AnswerModel  # noqa: E402
import openai.types.chat.completion_create_params as chat  # noqa: E402
import openai.types.responses.response_create_params as responses  # noqa: E402

# Files may be open streams of bytes, for which pydantic has no schema.
FORBID = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


def forbid_unknown_members():
    """Makes a member that is not declared an error in all types of the clients, also in objects of answers, which Anthropic accepts in messages."""
    declared = [value for name, module in list(sys.modules.items()) if name.startswith(("openai.types", "anthropic.types")) for value in vars(module).values()]
    for dictionary in filter(is_typeddict, declared):
        dictionary.__pydantic_config__ = FORBID
    answers = {value for value in declared if isinstance(value, type) and issubclass(value, AnswerModel)}
    for answer in answers:
        answer.model_config = {**answer.model_config, "extra": "forbid", "defer_build": True}
        answer.model_rebuild(force=True)


forbid_unknown_members()
# Some dictionaries declare that they have other members.
warnings.filterwarnings("ignore", message="TypedDict class .* allows extra items")


class GenerateContentRequest(BaseModel):
    """The body of `generateContent`: the client assembles it from its parameters, so it has no type of its own."""

    model_config = ConfigDict(extra="forbid")

    model: str | None = None
    contents: list[gemini_types.Content]
    systemInstruction: gemini_types.Content | None = None
    tools: list[gemini_types.Tool] | None = None
    toolConfig: gemini_types.ToolConfig | None = None
    safetySettings: list[gemini_types.SafetySetting] | None = None
    generationConfig: gemini_types.GenerationConfig | None = None
    cachedContent: str | None = None


# The types of a protocol, without and with a stream: a request is valid if one pair accepts it.
TYPES = {
    "chat": [(chat.CompletionCreateParamsNonStreaming, chat.CompletionCreateParamsStreaming)],
    "responses": [(responses.ResponseCreateParamsNonStreaming, responses.ResponseCreateParamsStreaming)],
    "anthropic": [
        (anthropic.MessageCreateParamsNonStreaming, anthropic.MessageCreateParamsStreaming),
        (anthropic_beta.MessageCreateParamsNonStreaming, anthropic_beta.MessageCreateParamsStreaming),
    ],
    "gemini": [(GenerateContentRequest, GenerateContentRequest)],
}

ADAPTERS = {protocol: [tuple(map(TypeAdapter, pair)) for pair in pairs] for protocol, pairs in TYPES.items()}


# Members that the types do not have, and servers accept.
CHAT_DIALECTS = {"reasoning_content", "reasoning_details", "extra_content", "cache_control"}
SAMPLING = {"temperature", "top_p", "top_k"}


def without_accepted(protocol, value):
    """Returns the request without members that servers accept beyond the types."""
    if isinstance(value, list):
        return [without_accepted(protocol, element) for element in value]
    if not isinstance(value, dict):
        return value
    accepted = set()
    if protocol == "chat":
        # Those of compatible servers.
        accepted = CHAT_DIALECTS
    elif protocol == "anthropic" and "max_tokens" in value:
        # Models before those of the types have them.
        accepted = SAMPLING
    elif protocol == "responses" and value.get("type") == "custom_tool_call":
        # The call of an answer has it, which the documentation sends back as it is.
        accepted = {"status"}
    return {name: without_accepted(protocol, member) for name, member in value.items() if name not in accepted}


def judge(protocol, request):
    request = without_accepted(protocol, request)
    # A path names the model of Gemini, and the caller that of the others.
    if protocol != "gemini":
        request = {"model": "m", **request}
    refusals = []
    for pair in ADAPTERS[protocol]:
        adapter = pair[request.get("stream") is True]
        try:
            # The names of the wire, not those of Python.
            adapter.validate_json(json.dumps(request), by_alias=True, by_name=False)
            return []
        except ValidationError as error:
            refusals.append(described(error))
    return refusals[0]


def described(error):
    """Returns the errors of the alternatives that the request means: a union has the errors of all its alternatives."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    others = [entry["loc"][:-1] for entry in errors if entry["type"] == "literal_error" and entry["loc"][-1] in ("type", "role")]
    is_other = lambda place: place[-1] == "str" or any(place[: len(other)] == other for other in others)
    meant = [entry for entry in errors if not is_other(entry["loc"])]
    return [f"{place_of(entry)}: {entry['msg']}" for entry in meant or errors][:3]


def place_of(entry):
    """Returns the path of an error without the names of unions."""
    return ".".join(str(step) for step in entry["loc"] if "[" not in str(step))


for line in sys.stdin:
    given = json.loads(line)
    print(json.dumps(judge(given["protocol"], given["request"])), flush=True)

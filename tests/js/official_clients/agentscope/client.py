"""What the library of AgentScope makes of streams: reads one stream of server-sent events, or a JSON list of them.
Prints the message as JSON, or a list of messages; a stream that the library refuses is `{"refused": …}`."""
import json
import logging
import sys

logging.disable(logging.CRITICAL)

from agentscope.event import AgentEvent, EventType  # noqa: E402
from agentscope.message import AssistantMsg  # noqa: E402
from pydantic import TypeAdapter  # noqa: E402

# The types of the service's own union, and those that clients send.
events = TypeAdapter(AgentEvent)


def message_of(stream: str) -> dict | None:
    message = None
    for frame in stream.split("\n\n"):
        data = "\n".join(line[6:] for line in frame.split("\n") if line.startswith("data: "))
        if not data:
            continue
        event = events.validate_json(data)
        if event.type == EventType.CUSTOM:
            continue
        # As the service's web page: the message of a reply begins with its first event.
        if message is None:
            name = event.name if event.type == EventType.REPLY_START else ""
            message = AssistantMsg(id=event.reply_id, name=name, content=[])
        if event.type == EventType.REPLY_START:
            message.name = event.name
        else:
            message.append_event(event)
    return None if message is None else message.model_dump(mode="json")


def tried(stream: str) -> dict | None:
    try:
        return message_of(stream)
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}


text = sys.stdin.read()
json.dump([tried(stream) for stream in json.loads(text)] if text.startswith("[") else message_of(text), sys.stdout)

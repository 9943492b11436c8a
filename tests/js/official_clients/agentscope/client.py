"""What the library of AgentScope makes of a stream: reads server-sent events, prints the message as JSON."""
import json
import logging
import sys

logging.disable(logging.CRITICAL)

from agentscope.event import AgentEvent, EventType  # noqa: E402
from agentscope.message import AssistantMsg  # noqa: E402
from pydantic import TypeAdapter  # noqa: E402

# The types of the service's own union, and those that clients send.
events = TypeAdapter(AgentEvent)
message = None
for frame in sys.stdin.read().split("\n\n"):
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
json.dump(message.model_dump(mode="json"), sys.stdout)

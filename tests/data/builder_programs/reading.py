"""What the events of a stream tell a reader, who does not have the objects.

Only what these programs do is in here. It says where a reader has to come to something else than what the objects hold
(`departs` of a program), and which violations of severity error a stream has.
"""

import copy
import math

TERMINAL = {"completed", "failed", "canceled", "rejected", "incomplete"}

# Members that say nothing about the answer.
DROPPED = ("sequence_number", "object", "delta", "msg_id")

MAIN = {
    "text": "text", "refusal": "refusal", "image": "image_url", "video": "video_url", "data": "data", "audio": "data",
    "file": "file_data",
}


def stripped(members):
    return {key: value for key, value in members.items() if key not in DROPPED}


def merged(base, piece):
    """Data with a piece of it: the builder's rule, except that null says nothing about what is there."""
    for key, new in piece.items():
        old = base.get(key)
        if key not in base:
            base[key] = new
        elif new is None:
            pass
        elif isinstance(old, str) and isinstance(new, str) or isinstance(old, list) and isinstance(new, list):
            base[key] = old + new
        elif is_number(old) and is_number(new):
            base[key] = old + new if math.isfinite(old + new) else old
        elif isinstance(old, dict) and isinstance(new, dict):
            merged(old, new)
        else:
            base[key] = new


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def update(held, said):
    """Takes over what an event says; null says nothing."""
    for key, value in said.items():
        if value is not None or key not in held:
            held[key] = value


def numbered(parts):
    """The parts of a list with their index: their own if each has one, else their place."""
    if any(part.get("index") is None for part in parts):
        return list(enumerate(parts))
    return sorted(((part["index"], part) for part in parts), key=lambda pair: pair[0])


class Reading:
    """The answer as far as it has been told."""

    def __init__(self):
        self.response = {}
        # Messages by id, in the order in which they were first told of.
        self.messages = {}
        # Ids in the order in which they stand.
        self.order = []
        # Violations of severity error: rule, message, index.
        self.errors = []
        # The frame of an error ended the stream.
        self.bare = False

    def take(self, event):
        """Takes one event: an object of the protocol, or the frame of an error."""
        event = copy.deepcopy(event)
        match event.get("object"):
            case "response":
                self.take_response(event)
            case "message":
                self.take_message(event, listed=False)
            case "content":
                self.take_content(event)
            case _:
                self.errors.append(["bare-error", None, None])
                if self.response.get("status") not in TERMINAL:
                    self.bare = True
                    self.response["status"] = "failed"
                    self.response["error"] = {"code": "STREAM_ERROR", "message": event["error"]}

    def end(self):
        """The end of the stream. Without a terminal event, or with the frame of an error, it is an error."""
        status = self.response.get("status")
        if status not in TERMINAL or self.bare:
            self.errors.append(["no-terminal", None, None])
        if status not in TERMINAL:
            self.response["status"] = "incomplete"

    def take_response(self, event):
        output = event["output"] or []
        update(self.response, stripped(event) | {"output": None})
        listed = [self.take_message(message, listed=True) for message in output]
        # Before its end a response lists what there is so far.
        if listed and event["status"] in TERMINAL:
            listed = list(dict.fromkeys(listed))
            self.order = listed + [id for id in self.messages if id not in listed]

    def take_message(self, event, listed):
        content = event["content"] or []
        state = self.message(event["id"])
        head = stripped(event) | {"content": None}
        status, had_ended = head["status"], state["ended"]
        if had_ended and status not in TERMINAL:
            head["status"] = None
        if state["head"] is None:
            state["head"] = {}
        update(state["head"], head)
        indices = []
        if event["type"] != "heartbeat":
            for index, part in numbered(content):
                self.whole(state, index, part)
                indices.append(index)
        if status in TERMINAL:
            state["ended"] = True
            if indices:
                self.drop_others(event["id"], state, indices, listed)
            for part in state["parts"].values():
                if not part["ended"]:
                    part["ended"] = True
                    part["members"]["status"] = status
        return event["id"]

    def drop_others(self, id, state, indices, listed):
        """The end of a message says which parts it has. A response that lists messages takes nothing away."""
        for index in sorted(set(state["parts"]) - set(indices)):
            members = state["parts"][index]["members"]
            if members.get(MAIN[members["type"]]):
                self.errors.append(["part-missing", id, index])
            if not listed:
                del state["parts"][index]

    def message(self, id):
        if id not in self.messages:
            self.messages[id] = {"head": None, "parts": {}, "ended": False}
            self.order.append(id)
        return self.messages[id]

    def take_content(self, event):
        state = self.message(event["msg_id"])
        part = state["parts"].get(event["index"])
        if not event["delta"] or part is None:
            return self.whole(state, event["index"], event)
        members = stripped(event)
        main = MAIN[members["type"]]
        piece = members.pop(main)
        for key in ("status", "index"):
            members.pop(key)
        update(part["members"], members)
        held = part["members"].get(main)
        if members["type"] != "data":
            part["members"][main] = piece if held is None else held + piece
        elif not part["ended"]:
            if held is None:
                part["members"][main] = piece
            else:
                merged(held, piece)

    def whole(self, state, index, event):
        """A value that replaces what is there; an empty one erases nothing."""
        members = {**stripped(event), "index": index}
        status = members.get("status")
        part = state["parts"].setdefault(index, {"members": {"status": "in_progress"}, "ended": False})
        main = MAIN[members["type"]]
        if not members[main] and part["members"].get(main):
            members[main] = None
        if status not in TERMINAL:
            members["status"] = None
        update(part["members"], members)
        part["ended"] = part["ended"] or status in TERMINAL

    def snapshot(self):
        """The response in the form of `held`."""
        response = dict(self.response)
        response["output"] = [
            {**(state["head"] or PROVISIONAL | {"id": id}), "content": contents(state)}
            for id in self.order
            if (state := self.messages[id])["head"] is None or state["head"]["type"] != "heartbeat"
        ]
        return response


# A message that only its contents have told of.
PROVISIONAL = {
    "status": "in_progress", "error": None, "id": None, "type": "message", "role": None, "content": None, "code": None,
    "message": None, "usage": None, "metadata": None,
}


def contents(state):
    return [state["parts"][index]["members"] for index in sorted(state["parts"])]

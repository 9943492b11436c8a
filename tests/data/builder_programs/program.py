"""One random program of the builder: what it says, event by event, and what its objects hold."""

import json

import values
from parts import Generated, Grown, Part, brief
from runtime import builder, schemas, world

TEXT_KINDS = ["message", "message", "message", "reasoning", "error", "a2ui_response", "x_custom"]
CALLS = {
    "function_call": "function_call_output",
    "plugin_call": "plugin_call_output",
    "component_call": "component_call_output",
    "mcp_call": "mcp_call_output",
}
KINDS = [*CALLS, *CALLS.values(), "mcp_list_tools", "mcp_approval_request", "mcp_approval_response"]
PART_KINDS = ["text"] * 6 + ["data"] * 4 + ["image", "refusal", "file", "audio", "video"]


class Talk:
    """A message with its contents."""

    def __init__(self, name, message, maker=None):
        self.name, self.message, self.builder = name, message, maker
        self.parts = []
        self.ended = False
        # Why a reader may hold something else than the object.
        self.why = set()


class Program:
    """Programs of two kinds of servers: `runner` answers with a response of its own, as the runtime's Runner does, and
    lists in it the messages that were completed; else the builder's own response is what is said."""

    def __init__(self, dice, length):
        world.reset()
        self.dice, self.length = dice, length
        self.runner = dice.random() < 0.4
        self.numbers = schemas.SequenceNumberGenerator() if self.runner or dice.random() < 0.7 else None
        self.steps, self.talks, self.calls = [], [], []
        self.broken = False
        session = dice.choice([None, "s", "会话 🙂"])
        self.maker = builder.ResponseBuilder(session, dice.choice([None, "response_given"]))
        self.response = self.maker.response
        if self.runner:
            self.response = schemas.AgentResponse(id=None, session_id=session or "s")

    def step(self, words):
        self.steps.append(words)

    def events(self):
        """What the program says: objects, as they are at that moment; an exception where the agent's code raises."""
        if not self.runner and self.dice.random() < 0.03:
            yield from self.in_one_go()
            return
        self.step("queued" if not self.runner and self.dice.random() < 0.1 else "created")
        response = self.response.created() if self.runner else self.maker.created()
        response.status = self.steps[-1]
        if not self.runner and self.dice.random() < 0.05:
            response.region = self.dice.choice(["cn-hangzhou", "杭州", 1, [None]])
        yield response
        self.step("in_progress")
        yield self.response.in_progress()
        for _ in range(self.length):
            yield from self.act()
        if self.dice.random() < 0.85:
            for talk in self.open_talks():
                yield from self.finish(talk)
        yield from self.end()

    def in_one_go(self):
        tokens = [values.text(self.dice) for _ in range(self.dice.randint(0, 6))]
        self.step(f"generate_streaming_response({brief(tokens)})")
        for event in self.maker.generate_streaming_response(tokens):
            self.response = self.maker.response
            if isinstance(event, schemas.Message) and not self.talks:
                self.talks.append(Talk("m0", event, self.maker.message_builders[0]))
            if isinstance(event, schemas.Content) and not self.talks[0].parts:
                Generated(self, self.talks[0], "text")
            yield event

    def open_talks(self):
        return [talk for talk in self.talks if not talk.ended]

    def act(self):
        talks = self.open_talks()
        parts = [part for talk in talks for part in talk.parts if not part.completed]
        roll = self.dice.random()
        if not talks or roll < 0.1 and len(talks) < 3:
            yield from self.open_talk()
        elif parts and roll < 0.55:
            yield from self.dice.choice(parts).grow()
        elif parts and roll < 0.64:
            yield from self.complete(self.dice.choice(parts))
        elif roll < 0.74:
            yield from self.open_part(self.dice.choice(talks))
        elif roll < 0.83:
            yield from self.again(self.dice.choice(talks))
        elif roll < 0.87:
            yield from self.finish(self.dice.choice(talks))
        else:
            yield from self.rarely(self.dice.choice(talks))

    def open_talk(self):
        roll = self.dice.random()
        kind = self.dice.choice(TEXT_KINDS) if roll < 0.65 else self.dice.choice(KINDS)
        role = "tool" if kind.endswith("_output") else self.dice.choice(["assistant"] * 8 + ["user", "system", None])
        talk = self.new_talk(kind, role, grown=self.dice.random() < 0.25)
        if self.dice.random() < 0.93:
            yield talk.message.in_progress()
        if kind in KINDS:
            yield from self.open_part(talk)

    def new_talk(self, kind, role, grown=False):
        name = f"m{len(self.talks)}"
        if grown:
            message = schemas.Message(type=kind, role=role, status="in_progress")
            self.maker.add_message(message)
            talk = Talk(name, message)
            self.step(f"{name} = Message({kind!r}, {role!r})")
        else:
            made = self.maker.create_message_builder(role, kind)
            talk = Talk(name, made.message, made)
            self.step(f"{name} = create_message_builder({role!r}, {kind!r})")
        self.talks.append(talk)
        return talk

    def open_part(self, talk):
        if len(talk.parts) == 4:
            return
        kind, plan = self.dice.choice(PART_KINDS), []
        if talk.message.type in KINDS:
            kind, plan = "data", self.plan(talk.message.type)
        if talk.builder is None:
            part = Grown(self, talk, kind if kind in ("text", "image", "data") else "text", plan)
        else:
            part = Part(self, talk, kind, plan)
        if self.dice.random() < 0.8:
            yield from part.grow()

    def plan(self, kind):
        """The pieces of a payload of a tool message."""
        dice = self.dice
        if kind in CALLS:
            call = {"call_id": f"call_{len(self.calls)}", "name": dice.choice(values.TOOLS)}
            self.calls.append(call)
            first, *pieces = values.cut(dice, values.arguments(dice))
            # Some servers say id and name once, some with every piece, as nulls.
            more = {"call_id": None, "name": None} if dice.random() < 0.2 else {}
            return [call | {"arguments": first}, *(more | {"arguments": piece} for piece in pieces)]
        if kind in CALLS.values():
            call = dice.choice(self.calls or [{"call_id": "call_?", "name": "unknown"}])
            first, *pieces = values.cut(dice, values.text(dice))
            return [call | {"output": first}, *({"output": piece} for piece in pieces)]
        match kind:
            case "mcp_list_tools":
                tool = schemas.McpListToolsTool(input_schema={"type": "object"}, name="read")
                payload = schemas.McpListTools(id="list_1", server_label="files", tools=[tool])
            case "mcp_approval_request":
                payload = schemas.McpApprovalRequest(id="req_1", arguments=values.arguments(dice), name="rm", server_label="files")
            case "mcp_approval_response":
                payload = schemas.McpApprovalResponse(approval_request_id="req_1", approve=dice.random() < 0.5)
        return [payload.model_dump()]

    def complete(self, part):
        while part.plan and self.dice.random() < 0.9:
            yield from part.grow()
        event = part.complete()
        if self.dice.random() < 0.93:
            yield event
        else:
            part.why.add("not-told")
            self.step("(not said)")

    def again(self, talk):
        """A message event while the message is in progress: it lists the contents that are completed."""
        if self.dice.random() < 0.4:
            talk.message.metadata = values.obj(self.dice, least=1)
        if self.dice.random() < 0.2:
            talk.message.usage = {"input_tokens": self.dice.randint(1, 999), "output_tokens": self.dice.randint(1, 999)}
        if self.dice.random() < 0.1:
            talk.message.trace = values.obj(self.dice, least=1)
        self.step(f"{talk.name}.in_progress()")
        yield talk.message.in_progress()

    def finish(self, talk):
        """Ends a message, nearly always with all its contents."""
        if self.dice.random() < 0.85:
            for part in talk.parts:
                if not part.completed:
                    yield from self.complete(part)
        if self.dice.random() < 0.2:
            talk.message.usage = {"total_tokens": self.dice.randint(1, 10**6)}
        talk.ended = True
        yield from self.say_end(talk, self.dice.random())

    def say_end(self, talk, roll):
        message = talk.message
        if roll < 0.8:
            self.step(f"{talk.name}.complete()")
            yield message.completed() if talk.builder is None else talk.builder.complete()
        elif roll < 0.86:
            message.code, message.message = "E_TOOL", values.text(self.dice)
            self.step(f"{talk.name}.failed(...)")
            yield message.failed(schemas.Error(code="E_TOOL", message=message.message))
        elif roll < 0.94:
            how = self.dice.choice(["canceled", "rejected", "incomplete"])
            self.step(f"{talk.name}.status = {how}")
            message.status = how
            yield message
        else:
            # Only the response says it.
            self.step(f"{talk.name}.completed() (not said)")
            message.completed()
            talk.why.add("not-told")

    def rarely(self, talk):
        """What a careful server does not do."""
        ended = [talk for talk in self.talks if talk.ended and talk.message.status == "completed"]
        match self.dice.randint(0, 7):
            case 0:
                message = self.new_talk("heartbeat", None).message
                self.talks[-1].ended = True
                yield message
                yield message.completed()
            case 1 if not self.runner:
                self.step("in_progress()")
                if self.dice.random() < 0.5:
                    self.response.usage = {"total_tokens": self.dice.randint(1, 999)}
                yield self.maker.in_progress()
            case 2 if ended:
                yield from self.say_end(self.dice.choice(ended), 0)
            case 3 if ended:
                late = self.dice.choice(ended)
                if len(late.parts) < 4 and late.builder is not None:
                    yield from self.open_part(late)
                    yield self.complete_now(late.parts[-1])
            case 4 | 5 | 6 if done := [part for part in talk.parts if part.completed and part.builder is not None]:
                part = self.dice.choice(done)
                if self.dice.random() < 0.6:
                    yield from part.grow()
                if self.dice.random() < 0.6:
                    yield self.complete_now(part)
            case 7:
                yield from self.at_once()

    def complete_now(self, part):
        part.why.add("after-its-end")
        return part.complete()

    def at_once(self):
        """A message that comes whole, as some of the runtime's adapters send it."""
        talk = self.new_talk("message", "assistant", grown=True)
        talk.ended = True
        while len(talk.parts) < self.dice.randint(1, 3):
            Grown(self, talk, "text").complete()
        yield from self.say_end(talk, 0)

    def end(self):
        response, roll = self.response, self.dice.random()
        if self.runner:
            roll = 0 if roll < 0.85 else 0.75 if roll < 0.97 else 1
        if roll < 0.94:
            if not self.runner and self.dice.random() < 0.3:
                response.usage = {"total_tokens": self.dice.randint(1, 10**6)}
            elif self.runner and response.output:
                response.usage = response.output[-1].usage
        error = schemas.Error(code="AGENT_UNKNOWN_ERROR", message="Unknown agent error: " + values.text(self.dice))
        if roll < 0.7:
            self.step("completed")
            yield response.completed()
        elif roll < 0.78:
            self.step("failed")
            yield response.failed(error)
        elif roll < 0.94:
            self.step(self.dice.choice(["canceled", "rejected", "incomplete"]))
            response.status = self.steps[-1]
            yield response
        elif roll < 0.97:
            self.step("raise")
            yield ValueError(error.message)
        else:
            self.step("(no end)")
        if self.runner and roll < 0.94:
            yield from self.trace()

    def trace(self):
        """The Runner's tracing writes the response down when it has been sent, and raises if that is no plain JSON."""
        try:
            json.dumps(self.response.model_dump())
        except TypeError as error:
            yield error

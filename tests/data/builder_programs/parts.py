"""Contents that grow: by the builder, by hand where the builder has no method, by the methods of Message."""

import copy

import values
from runtime import builder, schemas

FILE_FIELDS = ("file_url", "file_id", "filename", "file_data")


class Part:
    """A content made by a ContentBuilder."""

    def __init__(self, program, talk, kind, plan=()):
        self.program, self.dice, self.talk, self.kind = program, program.dice, talk, kind
        self.builder = None
        # Pieces of data that are still to come, where they belong together.
        self.plan = list(plan)
        self.completed = False
        # Why a reader may hold something else than the object.
        self.why = set()
        self.number = len(talk.parts)
        self.name = f"{talk.name}.c{self.number}"
        talk.parts.append(self)
        self.make()

    def make(self):
        if self.kind == "video":
            # The builder refuses videos, so the content is made by hand, in the place that a builder would have.
            numbered = {"index": len(self.talk.builder.content_builders), "msg_id": self.talk.message.id}
            self.content = schemas.VideoContent(**numbered)
            self.talk.builder.content_builders.append(None)
            self.program.step(f"{self.name} = VideoContent(...)")
        else:
            self.builder = self.talk.builder.create_content_builder(self.kind)
            self.content = self.builder.content
            self.program.step(f"{self.name} = {self.talk.name}.create_content_builder({self.kind!r})")

    def call(self, method, *arguments):
        """Calls the builder and returns the event."""
        self.program.step(f"{self.name}.{method}({', '.join(map(brief, arguments))})")
        return getattr(self.builder, method)(*arguments)

    def grow(self):
        """Says a piece or a whole value; yields the event."""
        if self.completed:
            self.why.add("after-its-end")
        roll = self.dice.random()
        text = values.text(self.dice)
        match self.kind:
            case "text" if roll < 0.85:
                yield self.call(self.dice.choice(["add_text_delta", "add_delta"]), self.maybe_none(text))
            case "text":
                yield self.whole("set_text", self.maybe_none(text), pieces=self.builder.text_tokens)
            case "data":
                yield self.grow_data(roll)
            case "image":
                yield self.whole("set_image_url", self.dice.choice([url(self.dice), ""]))
            case "refusal":
                yield self.whole("set_refusal", text)
            case _:
                yield self.by_hand(text)

    def grow_data(self, roll):
        if self.plan:
            return self.data_delta(self.plan.pop(0))
        if roll < 0.65:
            return self.data_delta(values.obj(self.dice, least=1))
        if roll < 0.8:
            return self.whole("set_data", values.obj(self.dice), pieces=self.builder.data_deltas)
        key, value = self.dice.choice(values.KEYS[:6]), self.odd(values.value(self.dice))
        return self.whole("update_data", key, value, pieces=self.builder.data_deltas)

    def data_delta(self, piece):
        if not self.plan:
            piece = {key: self.odd(value) for key, value in piece.items()}
        self.note_piece(piece)
        return self.call("add_data_delta", piece)

    def whole(self, method, *arguments, pieces=()):
        """Sets a value. The pieces said before are still added to it when the content is completed."""
        if pieces:
            self.why.add("set-after-pieces")
        if not arguments[-1]:
            self.why.add("empty-erases-nothing")
        if not values.is_plain(arguments[-1]):
            self.why.add("python-type")
        return self.call(method, *arguments)

    def note_piece(self, piece):
        if values.has_null(piece):
            self.why.add("null-piece")
        if not values.is_plain(piece):
            self.why.add("python-type")

    def odd(self, value):
        return values.python_value(self.dice) if self.dice.random() < 0.03 else value

    def maybe_none(self, text):
        return None if self.dice.random() < 0.03 else text

    def by_hand(self, text):
        """Sets members that the builder has no method for."""
        if self.kind == "audio":
            fields = {"data": text, "format": "wav"}
        elif self.kind == "video":
            fields = {"video_url": url(self.dice)}
        else:
            some = self.dice.sample(FILE_FIELDS, k=self.dice.randint(1, 4))
            fields = {field: url(self.dice) if field == "file_url" else text for field in some}
        for field, value in fields.items():
            setattr(self.content, field, value)
            if not value:
                self.why.add("empty-erases-nothing")
        self.program.step(f"{self.name}.content: {brief(fields)}")
        return self.content.in_progress()

    def complete(self):
        """The event that ends the content."""
        if self.dice.random() < 0.05:
            self.content.trace = values.obj(self.dice, least=1)
        if self.completed:
            self.why.add("after-its-end")
        self.completed = True
        if self.builder is not None:
            return self.call("complete")
        self.program.step(f"{self.name}.content.completed()")
        self.talk.builder.add_content(self.content.completed())
        return self.content

    def index(self):
        return self.content.index

    def held(self):
        """What the object holds: of one that was not completed, what it would hold if it were completed now."""
        if self.completed or self.builder is None:
            return self.content
        now = copy.deepcopy(self.builder)
        now.complete()
        return now.content


class Grown(Part):
    """A content that grows by the methods of Message, as the runtime's own adapters do it."""

    def make(self):
        self.place = None

    def grow(self):
        first = self.place is None
        match self.kind:
            case "text":
                piece = schemas.TextContent(text=values.text(self.dice))
            case "image":
                start = "data:image/png;base64," if first else ""
                piece = schemas.ImageContent(image_url=start + self.dice.choice(["AAAA", "iVBO", "/+8="]))
            case "data":
                data = self.plan.pop(0) if self.plan else values.obj(self.dice, least=0 if first else 1)
                piece = schemas.DataContent(data=data)
                # Its rule for pieces is another one: what is new under its key is lost.
                self.why.add("rule-of-message" if not first else "empty-erases-nothing")
                self.note_piece(data)
        piece.delta, piece.index = True, self.place
        self.program.step(f"{self.talk.name}.add_delta_content({brief(getattr(piece, MAIN[self.kind]))}, {self.place})")
        event = self.talk.message.add_delta_content(piece)
        self.place = event.index
        yield event

    def complete(self):
        self.completed = True
        if self.place is None:
            content = schemas.TextContent(text=values.text(self.dice))
            self.kind = "text"
            self.program.step(f"{self.talk.name}.add_content({brief(content.text)})")
            event = self.talk.message.add_content(content)
            self.place = event.index
            return event
        self.program.step(f"{self.talk.name}.content_completed({self.place})")
        return self.talk.message.content_completed(self.place)

    def index(self):
        return self.place

    def held(self):
        return self.talk.message.content[self.place]


class Generated(Part):
    """The content that `generate_streaming_response` makes."""

    def make(self):
        (self.builder,) = self.talk.builder.content_builders
        self.content = self.builder.content

    def held(self):
        self.completed = self.content.status == "completed"
        return super().held()


MAIN = {"text": "text", "image": "image_url", "data": "data"}


def url(dice):
    return dice.choice(["https://example.com/", "data:image/png;base64,", "file:///"]) + values.text(dice)


def brief(value):
    """A value as Python writes it, short."""
    said = ascii(value)
    return said if len(said) <= 40 else said[:36] + " ..."

"""Random programs of the real builder: their streams, and what the Python objects hold.

    python tests/data/builder_programs/builder_programs.py --seed 1 --programs 500 --out tests/data/corpus/agent-api/build_random_programs

`README.md` beside this file says what it needs and what the lines of the result mean.
"""

import argparse
import collections
import gzip
import json
import pathlib
import random
import warnings

from pydantic_core import PydanticSerializationError

from program import Program
from reading import TERMINAL, Reading, numbered, stripped
from runtime import PYDANTIC, VERSION, schemas

EXCEPTIONS = json.loads(pathlib.Path(__file__).with_name("exceptions.json").read_text("utf-8"))["departs"]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--programs", type=int, default=500)
    options.add_argument("--steps", type=int, default=20, help="the longest program, in steps (default 20)")
    options.add_argument("--out", type=pathlib.Path, required=True, help="the folder for programs.jsonl.gz")
    options = options.parse_args()
    # Values of Python that are no JSON are written with a warning.
    warnings.simplefilter("ignore")
    lines = [line(f"{options.seed}/{number}", options.steps) for number in range(options.programs)]
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines).encode()
    options.out.mkdir(parents=True, exist_ok=True)
    # The same bytes at every run: no name, no time.
    packed = gzip.compress(text, mtime=0)
    (options.out / "programs.jsonl.gz").write_bytes(packed)
    counts = collections.Counter(departure["why"] for line in lines for departure in line["departs"])
    events = sum(line["stream"].count("data: {") for line in lines)
    print(f"agentscope-runtime {VERSION}, pydantic {PYDANTIC}")
    print(f"{len(lines)} programs, {events} events, {len(text)} bytes, {len(packed)} compressed")
    print(*(f"{count:6} {why}" for why, count in sorted(counts.items())), sep="\n")


def line(name, most):
    dice = random.Random(name)
    program = Program(dice, dice.randint(1, most))
    stream, reading = said(program, dice)
    held, read = holding(program, reading), reading.snapshot()
    departs = [
        {"at": at, "why": reason(program, reading, at, name), "reads": value}
        for at, value in differences(held, read)
    ]
    return {
        "program": name,
        "steps": program.steps,
        "stream": stream,
        "held": held,
        "departs": departs,
        "errors": reading.errors,
    }


def said(program, dice):
    """The stream as the runtime's server writes it, and what a reader knows of it."""
    stop = dice.randint(2, 16) if dice.random() < 0.15 else None
    frames, reading = [], Reading()
    for number, event in enumerate(program.events(), 1):
        whole = frame(program, event)
        if number == stop and dice.random() < 0.4:
            # The connection breaks within an event.
            frames.append(whole[: dice.randint(7, len(whole) - 1)])
            program.step("(cut off here)")
            program.broken = True
            if len(frames[-1]) >= len(whole.rstrip("\n")):
                reading.take(json.loads(whole[6:]))
            else:
                reading.errors.append(["malformed-event", None, None])
            break
        frames.append(whole)
        taken = json.loads(whole[6:])
        reading.take(taken)
        if "object" not in taken:
            break
        if number == stop:
            program.step("(stopped here)")
            break
    reading.end()
    return "".join(frames), reading


def frame(program, event):
    """One event as the server sends it: `AgentApp._common_stream_generator`, and `_stream_generator` for exceptions."""
    try:
        if isinstance(event, Exception):
            raise event
        if program.runner and event.object == "message" and event.status == "completed":
            program.response.add_new_message(event)
        if program.numbers is not None:
            program.numbers.yield_with_sequence(event)
        data = event.model_dump_json()
    except (TypeError, ValueError, PydanticSerializationError) as error:
        program.step(type(error).__name__)
        data = json.dumps({"error": str(error)})
    return f"data: {data}\n\n"


def dump(model):
    """An object as JSON, in the library's own writing."""
    try:
        return json.loads(model.model_dump_json())
    except PydanticSerializationError:
        # Halves of characters cannot be written.
        text = json.dumps(model.model_dump(), ensure_ascii=False, default=str)
        return json.loads(text.encode("utf-8", "replace"), parse_constant=lambda _: None)


def holding(program, reading):
    """What the objects hold, in the form in which a reader has it (README.md, "held")."""
    response = stripped(dump(program.response))
    talks = {talk.message.id: talk for talk in program.talks}
    order = [id for id in reading.order if talks[id].message.type != "heartbeat"]
    if program.response.status in TERMINAL and reading.response["status"] == program.response.status:
        listed = list(dict.fromkeys(message.id for message in program.response.output or []))
        order.sort(key=lambda id: listed.index(id) if id in listed else len(listed))
    response["output"] = [held_message(talks[id], reading.messages[id]) for id in order]
    return response


def held_message(talk, counts):
    message = stripped(dump(talk.message))
    ended = message["status"] in TERMINAL
    if ended:
        parts = numbered(message["content"] or [])
    else:
        parts = [(part.index(), dump(part.held())) for part in talk.parts if part.index() in counts["parts"]]
    completed = {part.index() for part in talk.parts if part.completed}
    unfinished = message["status"] if ended else "in_progress"
    message["content"] = [
        stripped(part) | {"index": index, "status": "completed" if index in completed else unfinished}
        for index, part in sorted(parts, key=lambda pair: pair[0])
    ]
    return message


def differences(held, read, at="", depth=0):
    """Where two answers differ: the place and what is read there."""
    if canonical(held) == canonical(read):
        return
    lists = isinstance(held, list) and isinstance(read, list) and len(held) == len(read)
    objects = isinstance(held, dict) and isinstance(read, dict) and list(held) == list(read)
    if depth < 5 and lists:
        for place, (a, b) in enumerate(zip(held, read)):
            yield from differences(a, b, f"{at}/{place}", depth + 1)
    elif depth < 5 and objects:
        for key in held:
            yield from differences(held[key], read[key], f"{at}/{key}", depth + 1)
    else:
        yield at, read


def canonical(value):
    """The same text for the same JSON: the order of members says nothing."""
    return json.dumps(value, sort_keys=True)


def reason(program, reading, at, name):
    """Why a reader has something else at a place. None that fits is a mistake of this script or of the library."""
    path = at.split("/")[1:]
    found = set()
    if at in ("/status", "/error"):
        found.add("error-frame" if reading.bare else "no-terminal")
    elif path[:1] == ["output"]:
        id = reading.snapshot()["output"][int(path[1])]["id"]
        (talk,) = (talk for talk in program.talks if talk.message.id == id)
        found |= talk.why
        if reading.messages[id]["head"] is None and path[2:3] != ["content"]:
            found.add("only-contents-counts")
        if path[2:] == ["content"]:
            found.add("null-erases-nothing" if not talk.message.content else "response-takes-nothing")
        elif path[2:3] == ["content"]:
            index = reading.snapshot()["output"][int(path[1])]["content"][int(path[3])]["index"]
            found |= set().union(*(part.why for part in talk.parts if part.index() == index))
    if reading.bare:
        found.add("error-frame")
    if program.broken:
        found.add("broken-off")
    for why in EXCEPTIONS:
        if why in found:
            return why
    raise AssertionError(f"program {name}: {at} differs for no known reason: {program.steps}")


if __name__ == "__main__":
    main()

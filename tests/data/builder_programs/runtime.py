"""The real library: its schemas and its builder, with ids and a clock that are the same at every run."""

import importlib
import importlib.metadata
import importlib.util
import sys
import types
import uuid

VERSION = importlib.metadata.version("agentscope-runtime")
PYDANTIC = importlib.metadata.version("pydantic")


def _load():
    """Imports the two modules without the server around them.

    `agentscope_runtime.engine` imports the whole server when it is imported: web framework, task queue, container
    clients. A package object of that name with the right path is all that the two modules need.
    """
    (folder,) = importlib.util.find_spec("agentscope_runtime").submodule_search_locations
    engine = types.ModuleType("agentscope_runtime.engine")
    engine.__path__ = [folder + "/engine"]
    sys.modules[engine.__name__] = engine
    return (
        importlib.import_module("agentscope_runtime.engine.schemas.agent_schemas"),
        importlib.import_module("agentscope_runtime.engine.helpers.agent_api_builder"),
    )


schemas, builder = _load()


class _World:
    """What the library asks of the machine: ids and the time."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.ids = 0
        self.seconds = 1_795_000_000

    def uuid4(self):
        self.ids += 1
        return uuid.UUID(f"00000000-0000-4000-8000-{self.ids:012x}")

    def now(self):
        self.seconds += 1
        return self.seconds


world = _World()
schemas.uuid4 = builder.uuid4 = world.uuid4
builder.time = types.SimpleNamespace(time=world.now)
schemas.datetime = types.SimpleNamespace(now=lambda: types.SimpleNamespace(timestamp=world.now))

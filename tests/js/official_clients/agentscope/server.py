"""The AgentScope 2 service with a model of its own, for recordings and for tests of clients.

Usage: python server.py [port]. Prints one line of JSON: the URL, and the id of the agent.

The model answers by the last text of the user, which names a script of `SCRIPTS`, and by the number
of its calls for that text. Storage, message bus and workspace are those of `agentscope.app`.
"""
import asyncio
import json
import logging
import socket
import sys
import tempfile
from typing import Any, AsyncGenerator, Literal

import httpx
import uvicorn
from agentscope.app import create_app
from agentscope.app.message_bus import InMemoryMessageBus
from agentscope.app.storage import AsyncSQLAlchemyStorage
from agentscope.app.workspace_manager import LocalWorkspaceManager
from agentscope.credential import CredentialBase
from agentscope.formatter import OpenAIChatFormatter
from agentscope.message import (
    Base64Source,
    DataBlock,
    Msg,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultState,
    URLSource,
)
from agentscope.model import ChatModelBase, ChatResponse, ChatUsage
from agentscope.permission import PermissionBehavior, PermissionDecision, PermissionRule
from agentscope.tool import ToolBase, ToolChunk

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
USER = {"X-User-ID": "user"}


def text(*pieces: str, block: str = "t"):
    return [[TextBlock(id=block, text=piece)] for piece in pieces]


def thinking(*pieces: str):
    return [[ThinkingBlock(id="r", thinking=piece)] for piece in pieces]


def call(id: str, name: str, *pieces: str):
    return [[ToolCallBlock(id=id, name=name, input=piece)] for piece in pieces]


WEATHER = ['{"city": ', '"Berlin"}']

# Of each script, the answers of the model, one after the other. An answer is a list of chunks, and an
# exception is raised.
SCRIPTS: dict[str, list[Any]] = {
    "text": [text("Hello", ", ", "world!")],
    "empty": [text("")],
    "unicode": [text("Grüße ", "🎈 北京", " \u2028 done")],
    "thinking": [thinking("I should ", "greet.") + text("Hi.")],
    "tool": [
        thinking("Look it up.") + text("I look.") + call("c1", "weather", *WEATHER),
        text("Sunny, ", "21 °C."),
    ],
    "two": [
        call("c1", "weather", *WEATHER) + call("c2", "weather", '{"city": "Paris"}'),
        text("Both sunny."),
    ],
    "failing": [call("c1", "failing", "{}"), text("It failed.")],
    "picture": [call("c1", "picture", "{}"), text("A pixel.")],
    "progress": [call("c1", "slow", "{}"), text("Done.")],
    "invalid": [call("c1", "weather", '{"city": 1}'), text("I gave a wrong city.")],
    "unknown": [call("c1", "nowhere", "{}"), text("No such tool.")],
    "confirm": [text("I delete it.") + call("c1", "delete", '{"path": "a.txt"}'), text("Finished.")],
    "confirm two": [
        call("c1", "delete", '{"path": "a.txt"}') + call("c2", "delete", '{"path": "b.txt"}'),
        text("Finished."),
    ],
    "external": [call("c1", "browser", '{"url": "https://example.com"}'), text("The page says hi.")],
    "mixed": [
        call("c1", "weather", *WEATHER)
        + call("c2", "delete", '{"path": "a.txt"}')
        + call("c3", "browser", '{"url": "https://example.com"}'),
        text("All three."),
    ],
    "image": [
        [[DataBlock(id="d", source=Base64Source(data=PIXEL[at : at + 40], media_type="image/png"))] for at in (0, 40, 80)]
        + text("A pixel.")
    ],
    "file": [
        [
            [
                DataBlock(
                    id="d",
                    name="a.pdf",
                    source=URLSource(url="https://example.com/a.pdf", media_type="application/pdf"),
                )
            ]
        ]
        + text("A file.")
    ],
    "audio": [[[DataBlock(id="d", source=Base64Source(data=data, media_type="audio/wav"))] for data in ("UklGRg==", "AAE=")]],
    "error": [text("I begin, ") + [RuntimeError("the model is gone")]],
    "error first": [[RuntimeError("the model is gone")]],
    "slow": [text(*["tick "] * 100)],
    "loop": [call(f"c{number}", "weather", *WEATHER) for number in range(50)],
}


class FakeModel(ChatModelBase):
    type: Literal["fake"] = "fake"

    def __init__(self, *options: Any, **named: Any) -> None:
        super().__init__(*options, **named)
        self.formatter = OpenAIChatFormatter()

    @classmethod
    def list_models(cls, custom_yaml_dir: str | None = None) -> list:
        return []

    async def _call_api(self, model_name: str, messages: list[Msg], tools=None, tool_choice=None, **_) -> Any:
        asked, calls = "text", 0
        for message in messages:
            if message.role == "user":
                asked, calls = message.get_text_content() or asked, 0
            for block in message.content if message.role == "assistant" else []:
                calls += isinstance(block, ToolResultBlock)
        name = asked if asked in SCRIPTS else "text"
        answers = SCRIPTS[name]
        at = 0 if calls == 0 else min(calls if name == "loop" else 1, len(answers) - 1)
        chunks = answers[at]
        if tool_choice is not None and tool_choice.mode == "none":
            chunks = text("I stop here.")
        if name not in SCRIPTS or asked not in SCRIPTS:
            chunks = text(f"You said: {asked}")
        return self.stream_chunks(chunks, delay=0.05 if name == "slow" else 0)

    async def stream_chunks(self, chunks: list, delay: float) -> AsyncGenerator[ChatResponse, None]:
        whole: dict[str, Any] = {}
        usage = ChatUsage(input_tokens=11, output_tokens=7, time=0.1, cache_input_tokens=3)
        for chunk in chunks:
            if isinstance(chunk, Exception):
                raise chunk
            await asyncio.sleep(delay)
            yield ChatResponse(content=[block.model_copy(deep=True) for block in chunk], is_last=False, usage=usage)


class FakeCredential(CredentialBase):
    type: Literal["fake"] = "fake"

    @classmethod
    def get_chat_model_class(cls):
        return FakeModel


class Tool(ToolBase):
    """A tool that is run by the agent, confirmed by the user, or executed by the client."""

    is_concurrency_safe = True
    is_read_only = True

    def __init__(self, name: str, properties: dict, run=None, ask: bool = False) -> None:
        super().__init__()
        self.name, self.description, self.run, self.ask = name, f"The tool {name}.", run, ask
        self.is_external_tool = run is None
        # The service allows tools that only read.
        self.is_read_only = not ask
        self.input_schema = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
        }

    async def check_permissions(self, *_, **__) -> PermissionDecision:
        rule = PermissionRule(
            tool_name=self.name, rule_content="*", behavior=PermissionBehavior.ALLOW, source="suggested"
        )
        return PermissionDecision(
            behavior=PermissionBehavior.ASK if self.ask else PermissionBehavior.ALLOW,
            message="asked" if self.ask else "allowed",
            suggested_rules=[rule] if self.ask else None,
        )

    async def call(self, **arguments: Any) -> AsyncGenerator[ToolChunk, None]:
        return self.chunks(arguments)

    async def chunks(self, arguments: dict) -> AsyncGenerator[ToolChunk, None]:
        for chunk in self.run(arguments):
            await asyncio.sleep(0)
            yield chunk


def says(*pieces: str, state: ToolResultState = ToolResultState.SUCCESS):
    """Returns chunks of a result, which has the state of the last one."""
    return [
        ToolChunk(
            content=[TextBlock(id="o", text=piece)],
            is_last=at == len(pieces) - 1,
            state=state if at == len(pieces) - 1 else ToolResultState.RUNNING,
        )
        for at, piece in enumerate(pieces)
    ]


def shows(_: dict):
    picture = DataBlock(id="p", source=Base64Source(data=PIXEL, media_type="image/png"))
    return [ToolChunk(content=[TextBlock(id="o", text="1 x 1"), picture], state=ToolResultState.SUCCESS)]


async def tools(*_: str) -> list[ToolBase]:
    string = {"type": "string"}
    return [
        Tool("weather", {"city": string}, lambda input: says(f"{input['city']}: sunny, 21 °C")),
        Tool("failing", {}, lambda _: says("Error: out of order", state=ToolResultState.ERROR)),
        Tool("picture", {}, shows),
        Tool("slow", {}, lambda _: says("one ", "two ", "three")),
        Tool("delete", {"path": string}, lambda input: says(f"deleted {input['path']}"), ask=True),
        Tool("browser", {"url": string}),
    ]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def serve(port: int) -> None:
    folder = tempfile.mkdtemp(prefix="agentscope-")
    app = create_app(
        storage=AsyncSQLAlchemyStorage(f"sqlite+aiosqlite:///{folder}/service.db"),
        message_bus=InMemoryMessageBus(),
        workspace_manager=LocalWorkspaceManager(folder),
        enable_index_worker=False,
        enable_channel_worker=False,
        enable_scheduler=False,
        extra_credentials=[FakeCredential],
        extra_agent_tools=tools,
    )
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
        if running.done():
            return await running
    url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=url, headers=USER, trust_env=False) as client:
        created = await client.post("/credential/", json={"data": {"type": "fake", "name": "fake"}})
        credential = created.raise_for_status().json()["credential_id"]
        agent = await client.post(
            "/agent/",
            json={
                "name": "Friday",
                "chat_config": {"react_config": {"max_iters": 4}},
            },
        )
        model = {"type": "fake", "credential_id": credential, "model": "fake-1", "parameters": {}}
    print(
        json.dumps({"url": url, "agent_id": agent.raise_for_status().json()["agent_id"], "model": model}),
        flush=True,
    )
    await running


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else free_port()))

"""An agent of the OpenAI Agents SDK with two tools, which answers one question of a session."""

import asyncio
import os
import subprocess
import sys

from agents import Agent, ModelSettings, OpenAIResponsesModel, Runner, SQLiteSession, function_tool, set_tracing_disabled
from openai import AsyncOpenAI


@function_tool
def run_command(command: str) -> str:
    """Runs a command of the shell and returns its output."""
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False).stdout


@function_tool
def write_file(path: str, content: str) -> str:
    """Writes a file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"wrote {path}"


async def main(question: str) -> None:
    set_tracing_disabled(True)
    client = AsyncOpenAI()
    model = OpenAIResponsesModel(os.environ["MODEL"], client)
    # Reasoning comes back with the items of the session, as the gateway stores no responses.
    settings = ModelSettings(store=False, response_include=["reasoning.encrypted_content"])
    tools = [run_command, write_file]
    agent = Agent("Notes", instructions="You write notes.", model=model, model_settings=settings, tools=tools)
    session = SQLiteSession("notes", os.path.join(os.environ["HOME"], "session.db"))
    result = Runner.run_streamed(agent, question, session=session)
    async for _ in result.stream_events():
        pass
    print(result.final_output)


asyncio.run(main(sys.argv[1]))

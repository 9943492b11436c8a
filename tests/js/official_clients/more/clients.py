"""OpenAI Agents, LangChain and Google's ADK for Python against the agent of server.mjs at `AGENTWIRE_URL`."""

import asyncio
import os
import unittest

URL = os.environ["AGENTWIRE_URL"]


class OpenAiAgents(unittest.TestCase):
    def run_agent(self, question, streamed):
        from agents import Agent, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
        from openai import AsyncOpenAI

        set_tracing_disabled(True)
        ran = []

        @function_tool
        def pick_color(of: str) -> str:
            ran.append(of)
            return "blue"

        async def work():
            client = AsyncOpenAI(api_key="unused", base_url=URL + "/v1", max_retries=0)
            agent = Agent(name="a", model=OpenAIResponsesModel(model="agent", openai_client=client), tools=[pick_color])
            if not streamed:
                return await Runner.run(agent, question)
            result = Runner.run_streamed(agent, question)
            async for _ in result.stream_events():
                pass
            return result

        return asyncio.run(work()).final_output, ran

    def test_text(self):
        for streamed in (False, True):
            self.assertEqual(self.run_agent("hi", streamed), ("Hello 你好", []))

    def test_agent_tool(self):
        for streamed in (False, True):
            self.assertEqual(self.run_agent("the weather", streamed), ("19 degrees.", []))

    def test_client_tool(self):
        for streamed in (False, True):
            self.assertEqual(self.run_agent("a color", streamed), ("You picked blue.", ["sky"]))

    def test_failure_raises_an_error(self):
        with self.assertRaises(Exception):
            self.run_agent("fail", True)


class LangChain(unittest.TestCase):
    def model(self):
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(model="agent", api_key="unused", base_url=URL + "/v1", use_responses_api=True, max_retries=0)

    def streamed(self, question):
        whole = None
        for chunk in self.model().stream(question):
            whole = chunk if whole is None else whole + chunk
        return whole

    def test_text(self):
        self.assertEqual(self.model().invoke("hi").text, "Hello 你好")
        self.assertEqual(self.streamed("hi").text, "Hello 你好")

    def test_agent_tool_is_not_a_pending_call(self):
        for message in (self.model().invoke("the weather"), self.streamed("the weather")):
            self.assertEqual((message.text, message.tool_calls), ("Let me look. 19 degrees.", []))

    def test_client_tool(self):
        tool = {"type": "function", "function": {"name": "pick_color", "parameters": {"type": "object", "properties": {}}}}
        [call] = self.model().bind_tools([tool]).invoke("a color").tool_calls
        self.assertEqual((call["name"], call["args"], call["id"]), ("pick_color", {"of": "sky"}, "call_2"))


class GoogleAdk(unittest.TestCase):
    def asked(self, question):
        """The last event that has content, and its texts."""
        from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
        from google.adk.runners import InMemoryRunner
        from google.genai import types

        async def work():
            agent = RemoteA2aAgent(name="remote", agent_card=URL + "/.well-known/agent-card.json")
            runner = InMemoryRunner(agent=agent, app_name="app")
            session = await runner.session_service.create_session(app_name="app", user_id="u")
            message = types.Content(role="user", parts=[types.Part(text=question)])
            return [event async for event in runner.run_async(user_id="u", session_id=session.id, new_message=message)]

        return asyncio.run(work())

    def texts(self, events):
        parts = [part for event in events if event.content for part in event.content.parts or []]
        return "".join(part.text or "" for part in parts if not part.thought)

    def test_text(self):
        self.assertIn("Hello 你好", self.texts(self.asked("hi")))

    def test_agent_tool(self):
        self.assertIn("19 degrees.", self.texts(self.asked("the weather")))


if __name__ == "__main__":
    unittest.main()

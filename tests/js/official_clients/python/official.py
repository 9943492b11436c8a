"""The official clients for Python against the demo worker at `AGENTWIRE_URL`: no error, and the output of the agent."""

import base64
import json
import os
import unittest
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.server.tasks import InMemoryTaskStore, TaskManager
from a2a.server.context import ServerCallContext
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskState,
)
from google.protobuf.json_format import MessageToDict
from openai import BadRequestError, NotFoundError, OpenAI

URL = os.environ["AGENTWIRE_URL"]
ENDS = [
    ("Weather in Paris, and fail", "failed", "WEATHER_STATION_SILENT", None),
    ("Weather in Paris, but cancel", "cancelled", None, None),
    ("Weather in Paris, but incomplete", "incomplete", None, "max_output_tokens"),
    ("reject this", "failed", "rejected", None),
]


class Responses(unittest.TestCase):
    path = "/v1"

    @classmethod
    def setUpClass(cls):
        cls.client = OpenAI(api_key="unused", base_url=URL + cls.path, max_retries=0)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def streamed(self, question, **more):
        """Returns the last snapshot, and the text of the deltas."""
        text, last, numbers = "", None, []
        with self.client.responses.stream(model="demo", input=question, **more) as stream:
            for event in stream:
                numbers.append(event.sequence_number)
                if event.type == "response.output_text.delta":
                    text += event.delta
                if event.type in ("response.completed", "response.failed", "response.incomplete"):
                    last = event.response
        self.assertEqual(numbers, list(range(len(numbers))))
        return last, text

    def whole(self, question, **more):
        return self.client.responses.create(model="demo", input=question, **more)

    def both(self, question, **more):
        last, text = self.streamed(question, **more)
        self.assertEqual(last.output_text, text)
        whole = self.whole(question, **more)
        self.assertEqual(
            (whole.status, whole.output_text, [item.type for item in whole.output]),
            (last.status, text, [item.type for item in last.output]),
        )
        return last

    def test_text(self):
        last = self.both("echo 你好 👋")
        self.assertEqual((last.status, last.output_text), ("completed", "你好 👋"))
        with self.client.responses.stream(model="demo", input="echo 你好 👋") as stream:
            self.assertEqual(stream.get_final_response().output_text, "你好 👋")

    def test_parallel_tools(self):
        calls = [(item.type, item.call_id, item.name, item.arguments) for item in self.both("two at once").output]
        self.assertEqual(
            calls,
            [("function_call", "call_one", "tool_one", '{"n":1}'), ("function_call", "call_two", "tool_two", '{"n":1}')],
        )

    def test_reasoning_tool_image_and_usage(self):
        last = self.both("What is the weather like in Paris?", metadata={"demo": "answer"})
        thought, call, message, image = last.output
        self.assertIn("I should not guess", thought.content[0].text)
        self.assertEqual((call.type, call.name, json.loads(call.arguments)["city"]), ("mcp_call", "get_weather", "Paris"))
        self.assertEqual(json.loads(call.output)["city"], "Paris")
        self.assertTrue(message.content[0].text.startswith("Paris现在"))
        self.assertTrue(base64.b64decode(image.result).startswith(b"<svg"))
        self.assertGreater(last.usage.total_tokens, last.usage.output_tokens)

    def test_refusal(self):
        (message,) = self.both("please refuse").output
        self.assertEqual([(part.type, part.refusal) for part in message.content], [("refusal", "I will not do that. 恕难从命。")])

    def test_approval(self):
        for approve, says in ((True, "Approved"), (False, "Declined")):
            asked = [{"role": "user", "content": "Delete all files"}]
            last = self.both(asked)
            question = last.output[-1]
            self.assertEqual((question.type, json.loads(question.arguments)), ("mcp_approval_request", {"question": "Delete all files?", "text": "Delete all files?"}))
            answer = {"type": "mcp_approval_response", "approval_request_id": question.id, "approve": approve}
            said = [item.model_dump(exclude_none=True) for item in last.output]
            self.assertTrue(self.both([*asked, *said, answer]).output_text.startswith(says))

    def test_failed_canceled_and_incomplete_runs(self):
        for question, status, code, reason in ENDS:
            with self.subTest(question):
                last = self.both(question)
                self.assertEqual(
                    (last.status, last.error and last.error.code, last.incomplete_details and last.incomplete_details.reason),
                    (status, code, reason),
                )

    def test_invalid_requests_are_rejected(self):
        with self.assertRaises(BadRequestError) as refused:
            self.whole([{"role": "wizard", "content": "hi"}])
        self.assertEqual(refused.exception.param, "input[0].role")
        with self.assertRaises(NotFoundError):
            self.client.responses.retrieve("resp_1")


class ResponsesOfAgentScope(Responses):
    path = "/compatible-mode/v1"


class A2a(unittest.IsolatedAsyncioTestCase):
    """JSON-RPC, version 1.0. The result of a stream is the task in the store of the same package."""

    bindings = ["JSONRPC"]

    async def asyncSetUp(self):
        self.http = httpx.AsyncClient(timeout=60)
        config = ClientConfig(httpx_client=self.http, supported_protocol_bindings=self.bindings, use_client_preference=True)
        self.client = await ClientFactory(config).create_from_url(URL)
        at_once = ClientConfig(streaming=False, httpx_client=self.http, supported_protocol_bindings=self.bindings, use_client_preference=True)
        self.at_once = await ClientFactory(at_once).create_from_url(URL)

    async def asyncTearDown(self):
        await self.http.aclose()

    def request(self, part, *, delay=0, **ids):
        message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[part], **ids)
        request = SendMessageRequest(message=message)
        request.metadata.update({"demo": {"delay": delay}})
        return request

    async def told(self, stream):
        """Returns the task in the store of the package, and the states."""
        manager, states = None, []
        async for event in stream:
            kind = event.WhichOneof("payload")
            payload = getattr(event, kind)
            if manager is None:
                self.assertEqual(kind, "task")
                manager = TaskManager(
                    task_id=payload.id, context_id=payload.context_id, task_store=InMemoryTaskStore(),
                    initial_message=None, context=ServerCallContext(),
                )
            if kind != "artifact_update":
                states.append(TaskState.Name(payload.status.state).removeprefix("TASK_STATE_"))
            await manager.process(payload)
        return await manager.get_task(), states

    async def asked(self, words, **ids):
        return await self.told(self.client.send_message(self.request(Part(text=words), **ids)))

    async def sent(self, request):
        return [event.task async for event in self.at_once.send_message(request)][-1]

    def of(self, task, kind):
        return [artifact for artifact in task.artifacts if artifact.metadata["type"] == kind]

    def said(self, task):
        return "".join(part.text for artifact in self.of(task, "message") for part in artifact.parts)

    async def test_text(self):
        task, states = await self.asked("echo 你好 👋")
        self.assertEqual(states, ["SUBMITTED", "WORKING", "COMPLETED"])
        self.assertEqual(self.said(task), "你好 👋")
        stored = await self.client.get_task(GetTaskRequest(id=task.id))
        self.assertEqual(MessageToDict(stored.artifacts[0]), MessageToDict(task.artifacts[0]))
        self.assertEqual(stored.history[0].parts[0].text, "echo 你好 👋")

    async def test_parallel_tools(self):
        task, _ = await self.asked("two at once")
        parts = [MessageToDict(part.data) for artifact in self.of(task, "function_call") for part in artifact.parts]
        self.assertEqual(
            [(call["call_id"], call["name"], call["arguments"]) for call in parts],
            [("call_one", "tool_one", '{"n":1}'), ("call_two", "tool_two", '{"n":1}')],
        )

    async def test_reasoning_tool_image_and_usage(self):
        task, _ = await self.asked("What is the weather like in Paris?")
        self.assertTrue(self.said(task).startswith("Paris现在"))
        self.assertIn("I should not guess the weather", self.of(task, "reasoning")[0].parts[0].text)
        call = MessageToDict(self.of(task, "plugin_call")[0].parts[0].data)
        self.assertEqual((call["name"], json.loads(call["arguments"])["city"]), ("get_weather", "Paris"))
        output = MessageToDict(self.of(task, "plugin_call_output")[0].parts[0].data)
        self.assertEqual(output["call_id"], call["call_id"])
        parts = [part for artifact in task.artifacts for part in artifact.parts]
        self.assertTrue(any(part.media_type.startswith("image/") and (part.raw or part.url) for part in parts))

    async def test_refusal(self):
        task, _ = await self.asked("please refuse")
        self.assertEqual(self.said(task), "I will not do that. 恕难从命。")

    async def test_approval(self):
        for answer, says in (("yes", "Approved"), ("hm", "Declined")):
            task, states = await self.asked("Delete all files")
            self.assertEqual(states[-1], "INPUT_REQUIRED")
            again, states = await self.asked(answer, task_id=task.id, context_id=task.context_id)
            self.assertEqual((again.id, states[-1]), (task.id, "COMPLETED"))
            self.assertTrue(self.of(again, "message")[-1].parts[0].text.startswith(says))

    async def test_failed_canceled_and_incomplete_runs(self):
        for words, state, code, incomplete in (
            ("Weather in Paris, and fail", "FAILED", "WEATHER_STATION_SILENT", None),
            ("Weather in Paris, but cancel", "CANCELED", None, None),
            ("Reject this", "REJECTED", None, None),
            ("Weather in Paris, incomplete", "FAILED", None, "max_output_tokens"),
        ):
            with self.subTest(words):
                task, states = await self.asked(words)
                self.assertEqual(states[-1], state)
                whole = await self.sent(self.request(Part(text=words)))
                self.assertEqual(TaskState.Name(whole.status.state), f"TASK_STATE_{state}")
                self.assertEqual(self.said(whole), self.said(task))
                data = [MessageToDict(part.data) for part in task.status.message.parts if part.HasField("data")]
                self.assertEqual(next((error["code"] for error in data if "code" in error), None), code)
                self.assertEqual(MessageToDict(task.metadata).get("incomplete"), incomplete)

    async def test_task_is_subscribed_to_and_canceled(self):
        request = self.request(Part(text="a long story"), delay=50)
        request.configuration.CopyFrom(SendMessageConfiguration(return_immediately=True))
        task = await self.sent(request)
        following = self.client.subscribe(SubscribeToTaskRequest(id=task.id))
        first = await anext(following)
        self.assertEqual(first.task.id, task.id)
        canceled = await self.client.cancel_task(CancelTaskRequest(id=task.id))
        self.assertEqual(canceled.status.state, TaskState.TASK_STATE_CANCELED)
        states = [event.status_update.status.state async for event in following if event.HasField("status_update")]
        self.assertEqual(states[-1], TaskState.TASK_STATE_CANCELED)

    async def test_tasks_are_listed(self):
        task, _ = await self.asked("echo one")
        listed = await self.client.list_tasks(ListTasksRequest(context_id=task.context_id))
        self.assertEqual([one.id for one in listed.tasks], [task.id])

    async def test_invalid_requests_are_rejected(self):
        with self.assertRaisesRegex(Exception, "(?i)not found"):
            await self.client.get_task(GetTaskRequest(id="nobody"))
        task, _ = await self.asked("echo hi")
        with self.assertRaisesRegex(Exception, "cannot be canceled"):
            await self.client.cancel_task(CancelTaskRequest(id=task.id))


class A2aByRest(A2a):
    bindings = ["HTTP+JSON"]

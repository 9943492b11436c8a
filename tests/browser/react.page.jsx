// Components that use `agentwire/react`, in a page, in strict mode. Each test is a function; its result is compared in node.
import { StrictMode, memo } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server.browser";
import { init, read } from "agentwire/reader";
import { createConversation, createRunStore, useConversation, useRun } from "agentwire/react";

const encoder = new TextEncoder();

/** An agent whose answers continue when the test calls `say`, and its requests. */
function agent() {
  const requests = [];
  const ask = (signal, ...asked) => {
    let controller;
    const body = new ReadableStream({ start: (begun) => (controller = begun) });
    const request = { asked, aborted: false, say: (text) => controller.enqueue(encoder.encode(text)), close: () => controller.close() };
    signal.addEventListener("abort", () => (request.aborted = true));
    requests.push(request);
    return read(new Response(body, { headers: { "content-type": "text/event-stream" } }), { protocol: "ag-kit", signal });
  };
  return { requests, ask };
}

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const text = (content) => event({ type: "text", content });
const call = (id, name, args) =>
  event({ type: "tool-call-start", toolCallId: id, toolCallName: name }) +
  event({ type: "tool-call-args", toolCallId: id, delta: JSON.stringify(args) }) +
  event({ type: "tool-call-end", toolCallId: id });
const DONE = "data: [DONE]\n\n";

const textOf = (snapshot) => snapshot?.parts.map((part) => part.text ?? "").join("") ?? "";

/** Shows a component in strict mode; `shown()` is its text. */
function show(component) {
  const element = document.body.appendChild(document.createElement("div"));
  const root = createRoot(element);
  const draw = (component) => root.render(<StrictMode>{component}</StrictMode>);
  draw(component);
  return { draw, element, root, shown: () => element.textContent, leave: () => root.unmount() };
}

async function until(isTrue) {
  while (!isTrue()) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 60));

function Answer({ source, keep }) {
  const { status, snapshot } = useRun(source, { keepAlive: keep });
  return `${status}: ${textOf(snapshot)}`;
}

const tests = {
  async runs() {
    const { requests, ask } = agent();
    const { shown, leave } = show(<Answer source={(signal) => ask(signal)} />);
    await until(() => shown() === "connecting: ");
    await tick();
    requests[0].say(text("Hel"));
    await until(() => shown() === "streaming: Hel");
    requests[0].say(text("lo") + DONE);
    requests[0].close();
    await until(() => shown() === "done: Hello");
    leave();
    return { requests: requests.length, aborted: requests[0].aborted };
  },

  async leaving() {
    const outcomes = [];
    for (const keep of [undefined, true]) {
      const { requests, ask } = agent();
      const { shown, leave } = show(<Answer source={(signal) => ask(signal)} keep={keep} />);
      await until(() => requests.length > 0 && shown().startsWith("connecting"));
      leave();
      await tick();
      outcomes.push([requests.length, requests[0].aborted]);
    }
    return outcomes;
  },

  async another_run() {
    const { requests, ask } = agent();
    const never = new AbortController().signal;
    const { draw, shown, leave } = show(<Answer source={undefined} />);
    await until(() => shown() === "idle: ");
    const one = ask(never);
    draw(<Answer source={one} />);
    await until(() => shown() === "connecting: ");
    requests[0].say(text("One"));
    await until(() => shown() === "streaming: One");
    draw(<Answer source={ask(never)} />);
    requests[1].say(text("Two") + DONE);
    await until(() => shown() === "done: Two");
    const { report } = await one.finished();
    draw(<Answer source={null} />);
    await until(() => shown() === "idle: ");
    leave();
    return { first: report.endReason, requests: requests.length };
  },

  async shared() {
    const { requests, ask } = agent();
    const store = createRunStore(ask);
    const { draw, shown, leave } = show([<Answer key="1" source={store} />, "|", <Answer key="2" source={store} />]);
    await until(() => shown() === "connecting: |connecting: ");
    draw([<Answer key="1" source={store} />]);
    requests[0].say(text("x") + DONE);
    await until(() => shown() === "done: x");
    leave();
    return requests.length;
  },

  async conversation() {
    const { requests, ask } = agent();
    const drawn = { 1: 0, 2: 0, 3: 0 };
    const Turn = memo(function Turn({ turn }) {
      drawn[turn.id]++;
      return `[${turn.message ?? turn.answers.map(({ value, approved }) => approved ?? value)}: ${textOf(turn.snapshot)} ${turn.status}]`;
    });
    let hands;
    function Chat({ greeting }) {
      const chat = useConversation({
        request: ({ message, answers, signal }) => ask(signal, greeting, message, answers.length),
        tools: { add: ({ a, b }) => a + b + greeting.length },
      });
      hands = chat;
      return chat.turns.map((turn) => <Turn key={turn.id} turn={turn} />);
    }
    const { draw, shown, leave } = show(<Chat greeting="hi" />);
    await until(() => hands !== undefined);
    await tick();
    const before = requests.length;
    hands.send("sum");
    requests[0].say(text("Let me see."));
    await until(() => shown() === "[sum: Let me see. streaming]");
    // The next request is made by the function of this render.
    draw(<Chat greeting="hello" />);
    await tick();
    requests[0].say(call("1", "add", { a: 1, b: 2 }) + DONE);
    await until(() => requests.length === 2);
    requests[1].say(text("8.") + event({ type: "interrupt", id: "i", reason: "sure?", payload: null }) + DONE);
    await until(() => shown() === "[sum: Let me see. done][8: 8. done]");
    const { turns, pending } = hands;
    hands.approve(pending[0].id);
    await until(() => requests.length === 3);
    requests[2].say(text("Good"));
    await until(() => shown().endsWith("[true: Good streaming]"));
    const [first, second] = [drawn[1], drawn[2]];
    for (let piece = 0; piece < 20; piece++) {
      requests[2].say(text("."));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await until(() => shown().endsWith("[true: Good.................... streaming]"));
    hands.stop();
    await until(() => shown().endsWith("aborted]"));
    const same = [turns[0] === hands.turns[0], turns[1] === hands.turns[1], drawn[1] - first, drawn[2] - second];
    leave();
    return { before, asked: requests.map(({ asked }) => asked), same, aborted: requests.map(({ aborted }) => aborted) };
  },

  async another_conversation() {
    const agents = { a: agent(), b: agent(), own: agent() };
    const made = (name) => ({ request: ({ signal }) => agents[name].ask(signal), keepAlive: name === "b" });
    const given = { a: createConversation(made("a")), b: createConversation(made("b")), own: made("own") };
    const drawn = [];
    let hands;
    function Chat({ name }) {
      hands = useConversation(given[name]);
      const said = hands.turns.map(({ message, snapshot, status }) => `${message} ${textOf(snapshot)} ${status}`).join();
      drawn.push(`${name}: ${said}`);
      // The children are drawn with the same arguments.
      return [<p key="1">{`${name}: ${said}`}</p>, <Echo key="2" name={name} />];
    }
    const Echo = ({ name }) => <p>{useConversation(given[name]).turns.length}</p>;
    const { draw, shown, leave } = show(<Chat name="a" />);
    await until(() => hands !== undefined);
    hands.send("to a");
    agents.a.requests[0].say(text("A"));
    await until(() => shown().startsWith("a: to a A streaming"));
    draw(<Chat name="b" />);
    await until(() => shown() === "b: 0");
    hands.send("to b");
    agents.b.requests[0].say(text("B"));
    await until(() => shown() === "b: to b B streaming1");
    await tick();
    const aborted = [agents.a.requests[0].aborted, agents.b.requests[0].aborted];
    // One of its own, after others that were not.
    draw(<Chat name="own" />);
    await until(() => shown().startsWith("own: "));
    hands.send("to own");
    await until(() => agents.own.requests.length === 1);
    agents.own.requests[0].say(text("O") + DONE);
    await until(() => shown().startsWith("own: to own O done"));
    agents.b.requests[0].say(text("!") + DONE);
    await given.b.finished();
    draw(<Chat name="b" />);
    await until(() => shown() === "b: to b B! done1");
    draw(<Chat name="a" />);
    await until(() => shown() === "a: to a A aborted1");
    leave();
    // A render of one conversation never has text of another one.
    const torn = drawn.filter((line) => /^(a|b|own): (?!$)/.test(line) && !/^(a|b|own): to \1 /.test(line));
    return { aborted, torn, requests: Object.values(agents).map(({ requests }) => requests.length) };
  },

  async hydration() {
    const { requests, ask } = agent();
    const stored = [{ message: "before", answers: [], snapshot: { status: "completed", parts: [{ type: "text", text: "kept" }], error: null, pendingToolCallIds: [] }, status: "done" }];
    let hands;
    function Page() {
      hands = useConversation({ request: ({ signal }) => ask(signal), turns: stored });
      const { status } = useRun((signal) => ask(signal));
      return <p>{`${hands.turns.map(({ message, snapshot }) => `${message}: ${textOf(snapshot)}`).join()} ${status}`}</p>;
    }
    const component = <StrictMode><Page /></StrictMode>;
    const html = renderToString(component);
    const asked = requests.length;
    const element = document.body.appendChild(document.createElement("div"));
    element.innerHTML = html;
    const [paragraph] = element.children;
    const complaints = [];
    const root = hydrateRoot(element, component, { onRecoverableError: (error) => complaints.push(String(error)) });
    await until(() => element.textContent === "before: kept connecting");
    hands.send("now");
    await until(() => requests.length === 2);
    requests.forEach(({ say }) => say(text("new") + DONE));
    await until(() => element.textContent === "before: kept,now: new done");
    const kept = element.firstChild === paragraph;
    root.unmount();
    return { html, asked, complaints, kept, requests: requests.length };
  },
};

globalThis.run = async (name) => {
  await init();
  return tests[name]();
};
globalThis.names = Object.keys(tests);

// Components that use `agentwire/react`, in a page, in strict mode. Each test is a function; its
// result is compared in node.
import { StrictMode, memo, useEffect } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server.browser";
import { connect } from "agentwire/ag-kit";
import { init, messageText, read } from "agentwire/reader";
import { useChat, useStream } from "agentwire/react";
import { createStreamStore } from "agentwire/store";

const encoder = new TextEncoder();

/** An agent whose answers continue when the test calls `say`, and its requests. */
function agent() {
  const requests = [];
  const answer = (asked, signal) => {
    let controller;
    const body = new ReadableStream({ start: (begun) => (controller = begun) });
    const request = {
      asked,
      aborted: false,
      say: (text) => controller.enqueue(encoder.encode(text)),
      close: () => controller.close(),
    };
    signal.addEventListener("abort", () => (request.aborted = true));
    requests.push(request);
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  return {
    requests,
    ask: (signal) => read(answer(undefined, signal), { protocol: "ag-kit", signal }),
    /** For `connect`: the texts of each request, and its header `greeting`. */
    fetch: async (request) =>
      answer([request.headers.get("greeting"), await request.json()], request.signal),
  };
}

const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const text = (content) => event({ type: "text", content });
const call = (id, name, args) =>
  event({ type: "tool-call-start", toolCallId: id, toolCallName: name }) +
  event({ type: "tool-call-args", toolCallId: id, delta: JSON.stringify(args) }) +
  event({ type: "tool-call-end", toolCallId: id });
const DONE = "data: [DONE]\n\n";

const textOf = (snapshot) => snapshot?.parts.map((part) => part.text ?? "").join("") ?? "";
const lineOf = (message) => `[${message.role} ${messageText(message)} ${message.status}]`;

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
  const { status, snapshot } = useStream(source, { keepAlive: keep });
  return `${status}: ${textOf(snapshot)}`;
}

const tests = {
  async streams() {
    const { requests, ask } = agent();
    const { shown, leave } = show(<Answer source={(signal) => ask(signal)} />);
    await until(() => shown() === "sending: ");
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
      await until(() => requests.length > 0 && shown().startsWith("sending"));
      leave();
      await tick();
      outcomes.push([requests.length, requests[0].aborted]);
    }
    return outcomes;
  },

  async another_stream() {
    const { requests, ask } = agent();
    const never = new AbortController().signal;
    const { draw, shown, leave } = show(<Answer source={undefined} />);
    await until(() => shown() === "idle: ");
    const one = ask(never);
    draw(<Answer source={one} />);
    await until(() => shown() === "sending: ");
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

  async shared_stream() {
    const { requests, ask } = agent();
    const store = createStreamStore(ask);
    const { draw, shown, leave } = show([
      <Answer key="1" source={store} />,
      "|",
      <Answer key="2" source={store} />,
    ]);
    await until(() => shown() === "sending: |sending: ");
    draw([<Answer key="1" source={store} />]);
    requests[0].say(text("x") + DONE);
    await until(() => shown() === "done: x");
    leave();
    return requests.length;
  },

  async chat() {
    const { requests, fetch } = agent();
    const drawn = {};
    const Row = memo(function Row({ message }) {
      drawn[message.id] = (drawn[message.id] ?? 0) + 1;
      return lineOf(message);
    });
    let hands;
    function Chat({ greeting }) {
      // The next request and the next call are made with the options of the newest render.
      const options = {
        headers: { greeting },
        tools: { add: { execute: ({ a, b }) => a + b + greeting.length } },
      };
      const chat = useChat(() => connect("http://agent.test/", { fetch }), options);
      hands = chat;
      return chat.messages.map((message) => <Row key={message.id} message={message} />);
    }
    const { draw, shown, leave } = show(<Chat greeting="hi" />);
    await until(() => hands !== undefined);
    await tick();
    const before = requests.length;
    hands.send("sum");
    await until(() => requests.length === 1);
    requests[0].say(text("Let me see."));
    await until(() => shown() === "[user sum done][assistant Let me see. streaming]");
    draw(<Chat greeting="hello" />);
    await tick();
    requests[0].say(call("1", "add", { a: 1, b: 2 }) + DONE);
    await until(() => requests.length === 2);
    requests[1].say(
      text("8.") + event({ type: "interrupt", id: "i", reason: "sure?", payload: null }) + DONE,
    );
    await until(() => shown() === "[user sum done][assistant Let me see.8. done]");
    const { messages, pending } = hands;
    hands.approve(pending[0].approval.id);
    await until(() => requests.length === 3);
    requests[2].say(text("Good"));
    await until(() => shown() === "[user sum done][assistant Let me see.8.Good streaming]");
    const first = drawn[messages[0].id];
    for (let piece = 0; piece < 20; piece++) {
      requests[2].say(text("."));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await until(() => shown().endsWith("Good.................... streaming]"));
    hands.stop();
    await until(() => shown().endsWith("stopped]"));
    const same = [messages[0] === hands.messages[0], drawn[messages[0].id] - first];
    leave();
    return {
      before,
      greetings: requests.map(({ asked }) => asked[0]),
      same,
      aborted: requests.map(({ aborted }) => aborted),
    };
  },

  async several_chats() {
    const agents = { a: agent(), b: agent(), own: agent() };
    const given = {
      a: connect("http://agent.test/", { fetch: agents.a.fetch }),
      b: connect("http://agent.test/", { fetch: agents.b.fetch }),
    };
    const drawn = [];
    let hands;
    function Chat({ name }) {
      hands = useChat(
        given[name] ?? (() => connect("http://agent.test/", { fetch: agents.own.fetch })),
      );
      const lines = hands.messages.map(lineOf).join("");
      drawn.push(`${name}: ${lines}`);
      return [
        <p key="1">{`${name}: ${lines}`}</p>,
        given[name] && <Count key="2" chat={given[name]} />,
      ];
    }
    const Count = ({ chat }) => <p>{useChat(chat).messages.length}</p>;
    const { draw, shown, leave } = show(<Chat name="a" />);
    await until(() => hands !== undefined);
    hands.send("to a");
    await until(() => agents.a.requests.length === 1);
    agents.a.requests[0].say(text("A"));
    await until(() => shown() === "a: [user to a done][assistant A streaming]2");
    draw(<Chat name="b" />);
    await until(() => shown() === "b: 0");
    hands.send("to b");
    await until(() => agents.b.requests.length === 1);
    agents.b.requests[0].say(text("B"));
    await until(() => shown() === "b: [user to b done][assistant B streaming]2");
    await tick();
    // A chat that was given continues without its component.
    const aborted = [agents.a.requests[0].aborted, agents.b.requests[0].aborted];
    // One of its own, after others that were not: it is stopped with the component.
    draw(<Chat key="own" name="own" />);
    await until(() => shown() === "own: ");
    hands.send("to own");
    await until(() => agents.own.requests.length === 1);
    agents.own.requests[0].say(text("O"));
    await until(() => shown() === "own: [user to own done][assistant O streaming]");
    agents.b.requests[0].say(text("!") + DONE);
    await given.b.finished();
    draw(<Chat key="b" name="b" />);
    await until(() => shown() === "b: [user to b done][assistant B! done]2");
    await until(() => agents.own.requests[0].aborted);
    draw(<Chat key="b" name="a" />);
    await until(() => shown() === "a: [user to a done][assistant A streaming]2");
    leave();
    await tick();
    // A render of one chat never has text of another one.
    const torn = drawn.filter(
      (line) => /^(a|b|own): (?!$)/.test(line) && !/^(a|b|own): \[user to \1 /.test(line),
    );
    return {
      aborted: [...aborted, agents.a.requests[0].aborted],
      torn,
      requests: Object.values(agents).map(({ requests }) => requests.length),
    };
  },

  async on_mount() {
    const { requests, fetch } = agent();
    const chat = connect("http://agent.test/", { fetch });
    function Chat() {
      useEffect(() => void (chat.getSnapshot().messages.length === 0 && chat.send("Hello!")), []);
      return useChat(chat).messages.map(lineOf).join("");
    }
    const { shown, leave } = show(<Chat />);
    await until(() => shown() === "[user Hello! sending]" && requests.length > 0);
    // A second request would follow at once.
    await tick();
    leave();
    return requests.length;
  },

  async hydration() {
    const { requests, fetch, ask } = agent();
    const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "before" }] }];
    let hands;
    function Page() {
      hands = useChat(() => connect("http://agent.test/", { fetch, messages }));
      const { status } = useStream((signal) => ask(signal));
      return <p>{`${hands.messages.map(lineOf).join("")} ${status}`}</p>;
    }
    const component = (
      <StrictMode>
        <Page />
      </StrictMode>
    );
    const html = renderToString(component);
    const asked = requests.length;
    const element = document.body.appendChild(document.createElement("div"));
    element.innerHTML = html;
    const [paragraph] = element.children;
    const complaints = [];
    const root = hydrateRoot(element, component, {
      onRecoverableError: (error) => complaints.push(String(error)),
    });
    await until(() => element.textContent === "[user before done] sending");
    hands.send("now");
    await until(() => requests.length === 2);
    requests.forEach(({ say }) => say(text("new") + DONE));
    await until(
      () => element.textContent === "[user before done][user now done][assistant new done] done",
    );
    const kept = element.firstChild === paragraph;
    root.unmount();
    return { html, asked, complaints, kept, requests: requests.length };
  },

  async stored_hydration() {
    const { requests, fetch } = agent();
    const first = connect("http://agent.test/", { fetch, persist: { key: "hydrated" } });
    first.send("stored");
    await until(() => requests.length === 1);
    requests[0].say(text("kept") + DONE);
    await first.finished();
    const chat = connect("http://agent.test/", { fetch, persist: { key: "hydrated" } });
    const Page = () => <p>{useChat(chat).messages.map(lineOf).join("")}</p>;
    const component = (
      <StrictMode>
        <Page />
      </StrictMode>
    );
    const html = renderToString(component);
    const element = document.body.appendChild(document.createElement("div"));
    element.innerHTML = html;
    const complaints = [];
    const root = hydrateRoot(element, component, {
      onRecoverableError: (error) => complaints.push(String(error)),
    });
    await until(() => element.textContent === "[user stored done][assistant kept done]");
    root.unmount();
    return { html, complaints };
  },
};

globalThis.run = async (name) => {
  await init();
  return tests[name]();
};
globalThis.names = Object.keys(tests);

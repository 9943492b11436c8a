// Agents that throw, hang and write too late, handlers of errors that do the same, and clients that leave meanwhile: the
// stream ends with its terminal event, the client learns nothing that it should not, and no process dies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentError, AgentwireError, Converter, Decoder, defineProtocol, emit, read } from "agentwire";
import { outcomeOf, texts } from "../node/runs.mjs";
import { settled } from "../node/sources.mjs";
import { unhandledIn } from "./unhandled.mjs";

const nobody = {};
const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const MASKED = /^an internal error happened, its id is ([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;

const fails = () => {
  throw new Error("secret: a trap of the thrown value was sprung");
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const traps = new Proxy(Error, { get: () => fails });
/** Values that are difficult to look at. */
const THROWN = {
  undefined,
  null: null,
  zero: 0,
  text: "secret",
  symbol: Symbol("secret"),
  "a function": () => "secret",
  "an error": new Error("secret"),
  "an error with a code": Object.assign(new Error("secret"), { code: "ECONNREFUSED 10.0.0.7 secret" }),
  "a frozen error": Object.freeze(new Error("secret")),
  "an AggregateError": new AggregateError([new Error("secret"), null], "secret"),
  "a revoked proxy": revoked(),
  "a proxy of throwing traps": new Proxy({}, traps),
  "an object of throwing getters": Object.defineProperties(
    {},
    Object.fromEntries(["message", "code", "name", "stack", "cause", "constructor"].map((name) => [name, { get: fails }])),
  ),
  "an object that is no text": { [Symbol.toPrimitive]: fails, toString: fails, valueOf: fails, toJSON: fails },
  "an error whose message is no text": Object.assign(new Error(), { message: { toString: fails } }),
  "an object without a prototype": Object.create(null),
};

/** A run, read as it comes; everything about it that a client can see. */
async function ran(agent, options = {}) {
  const text = await emit(nobody, { onError: () => {}, ...options }, agent).text();
  return { text, ...(await outcomeOf(new Response(text, { headers: { "content-type": "text/event-stream" } }))) };
}

for (const [name, thrown] of Object.entries(THROWN)) {
  test(`thrown: ${name}`, async () => {
    const heard = [];
    const onError = (error, { id }) => void heard.push([error, id]);
    const throwing = {
      "at once": () => {
        throw thrown;
      },
      later: async (out) => {
        await out.message().text().delta("so far");
        throw thrown;
      },
    };
    for (const [when, agent] of Object.entries(throwing)) {
      const unhandled = await unhandledIn(async () => {
        const { response, text } = await ran(agent, { onError });
        assert.equal(response.status, "failed", when);
        assert.equal(response.error.code, "AGENT_UNKNOWN_ERROR");
        assert.doesNotMatch(text, /secret/);
        const [, id] = MASKED.exec(response.error.message);
        const [error, told] = heard.pop();
        assert.ok(Object.is(error, thrown));
        assert.equal(told, id);
      });
      assert.deepEqual(unhandled, []);
    }
  });
}

test("two errors have two ids", async () => {
  const ids = await Promise.all([1, 2].map(async () => (await ran(fails)).response.error.message));
  assert.notEqual(ids[0], ids[1]);
});

test("nobody hears an error that no handler was given for but the console", async (context) => {
  const said = context.mock.method(console, "error", () => {});
  const { response } = await ran(fails, { onError: undefined });
  const [, id] = MASKED.exec(response.error.message);
  assert.equal(said.mock.callCount(), 1);
  const [text, error] = said.mock.calls[0].arguments;
  assert.ok(text.includes(id));
  assert.match(error.message, /^secret/);
});

test("a console that throws ends nothing", async (context) => {
  context.mock.method(console, "error", fails);
  const unhandled = await unhandledIn(async () => {
    assert.equal((await ran(fails, { onError: undefined })).response.status, "failed");
  });
  assert.deepEqual(unhandled, []);
});

test("an error that is meant for the client is told as it is", async () => {
  const { response } = await ran(() => {
    throw new AgentError("MODEL_TIMEOUT", "the model is gone", { cause: new Error("secret") });
  });
  assert.deepEqual(response.error, { code: "MODEL_TIMEOUT", message: "the model is gone" });
  const failed = await ran((out) => out.fail({ code: "C", message: "m" }));
  assert.deepEqual(failed.response.error, { code: "C", message: "m" });
  class Quota extends AgentError {}
  const sub = await ran(() => Promise.reject(new Quota("QUOTA", "no more today")));
  assert.deepEqual(sub.response.error, { code: "QUOTA", message: "no more today" });
});

test("an error that is meant for the client and cannot be looked at is masked", async () => {
  class Trap extends AgentError {
    get message() {
      return fails();
    }
  }
  const { response, text } = await ran(() => {
    throw Object.create(Trap.prototype);
  });
  assert.match(response.error.message, MASKED);
  assert.doesNotMatch(text, /secret/);
});

test("what a handler says of an error is told, now or later", async () => {
  const info = { code: "INTERNAL", message: "something went wrong" };
  for (const onError of [() => info, async () => (await settled(), info), () => ({ then: (resolve) => resolve(info) })]) {
    assert.deepEqual((await ran(fails, { onError })).response.error, info);
  }
  // What an AgentError says is not the last word.
  const agent = () => Promise.reject(new AgentError("C", "m"));
  assert.deepEqual((await ran(agent, { onError: () => info })).response.error, info);
});

test("a handler that says nothing of use leaves the error masked", async (context) => {
  context.mock.method(console, "error", () => {});
  const handlers = {
    undefined: () => undefined,
    null: () => null,
    "a number": () => 3,
    text: () => "secret",
    "an object of another shape": () => ({ error: "secret" }),
    "a message that is no text": () => ({ code: "secret", message: 5 }),
    "an object that cannot be looked at": () => THROWN["a proxy of throwing traps"],
    "a revoked proxy": () => revoked(),
    "a promise of one": async () => ({ get message() { return fails(); } }),
    throws: fails,
    "throws a proxy": () => {
      throw revoked();
    },
    rejects: () => Promise.reject(new Error("secret")),
    "a thenable that throws": () => ({ then: fails }),
    "a then that cannot be read": () => ({ get then() { return fails(); } }),
  };
  for (const [name, onError] of Object.entries(handlers)) {
    const unhandled = await unhandledIn(async () => {
      const { response, text } = await ran(() => Promise.reject(new Error("secret")), { onError });
      assert.match(response.error.message, MASKED, name);
      assert.equal(response.error.code, "AGENT_UNKNOWN_ERROR", name);
      assert.doesNotMatch(text, /secret/, name);
    });
    assert.deepEqual(unhandled, [], name);
  }
});

test("a message without a code has the usual one", async () => {
  const { response } = await ran(fails, { onError: () => ({ message: "m" }) });
  assert.deepEqual(response.error, { code: "AGENT_UNKNOWN_ERROR", message: "m" });
});

test("a handler that never settles is waited for, with heartbeats, for five seconds", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const answer = emit(nobody, { heartbeat: 1000, onError: () => new Promise(() => {}) }, async (out) => {
    await out.message().text().delta("so far");
    throw new Error("secret");
  });
  let text = "";
  const decoder = new TextDecoder();
  const pumping = answer.body.pipeTo(new WritableStream({ write: (chunk) => void (text += decoder.decode(chunk)) }));
  for (let second = 0; second < 5; second++) {
    await turn();
    assert.doesNotMatch(text, /"status":"failed"/, `${second} s`);
    context.mock.timers.tick(999);
    await turn();
    context.mock.timers.tick(1);
  }
  await pumping;
  assert.ok(text.split(": heartbeat\n\n").length - 1 >= 4, text);
  const decoding = new Decoder();
  decoding.push(new TextEncoder().encode(text));
  const { response, report } = decoding.finish();
  assert.deepEqual(report.violations, []);
  assert.match(response.error.message, MASKED);
});

test("clients leave and requests are aborted while a handler thinks", async (context) => {
  context.mock.method(console, "error", () => {});
  const leaving = {
    cancel: async (answer) => {
      const reader = answer.body.getReader();
      await reader.read();
      await reader.cancel("enough");
    },
    abort: async (answer, controller) => {
      controller.abort(new Error("stop"));
      const { response } = await outcomeOf(answer);
      assert.equal(response.status, "canceled");
    },
    // The abort comes first, and nothing is left to cancel.
    both: async (answer, controller) => {
      controller.abort();
      await answer.body.cancel();
    },
  };
  for (const [name, leave] of Object.entries(leaving)) {
    let settle;
    let signal;
    const unhandled = await unhandledIn(async () => {
      const controller = new AbortController();
      const onError = () => new Promise((_, reject) => (settle = () => reject(new Error("late"))));
      const answer = emit({ signal: controller.signal }, { onError }, async (out) => {
        signal = out.signal;
        await out.message().text().delta("so far");
        throw new Error("secret");
      });
      await settled();
      await leave(answer, controller);
      assert.equal(signal.aborted, true, name);
      settle();
    });
    assert.deepEqual(unhandled, [], name);
  }
});

test("while a handler thinks, nothing else can be written", async () => {
  const late = [];
  const unhandled = await unhandledIn(async () => {
    const { response } = await ran(
      async (out) => {
        const text = out.message().text();
        await text.delta("so far");
        setTimeout(() => {
          late.push(out.ended);
          text.delta(" and more"); // nobody waits for it
          late.push(assert.rejects(text.delta("!"), coded("ended")));
        }, 2);
        throw new Error("secret");
      },
      { onError: settled },
    );
    assert.deepEqual(texts(response), [["so far"]]);
    assert.equal(await Promise.all(late).then(([ended]) => ended), true);
  });
  assert.deepEqual(unhandled, []);
});

test("an agent that never returns holds neither the client nor the abort", async () => {
  const unhandled = await unhandledIn(async () => {
    const hangs = async (out) => {
      await out.message().text().delta("x");
      await new Promise(() => {});
    };
    const controller = new AbortController();
    const aborted = outcomeOf(emit({ signal: controller.signal }, {}, hangs));
    await settled();
    controller.abort();
    assert.equal((await aborted).response.status, "canceled");
    const reader = emit(nobody, {}, hangs).body.getReader();
    await reader.read();
    await reader.cancel();
  });
  assert.deepEqual(unhandled, []);
});

test("what is written after the end and not awaited ends no process", async () => {
  for (const end of [() => {}, (out) => out.fail({ code: "C", message: "m" }), (out) => out.cancel()]) {
    const unhandled = await unhandledIn(async () => {
      let late;
      const { response } = await ran(async (out) => {
        const message = out.message();
        const text = message.text();
        await text.delta("x");
        const tool = out.tool("t", { parallel: true });
        late = () => {
          text.delta("late");
          text.complete();
          tool.arguments("{}");
          tool.result("late");
          message.image("late");
          message.data({ late: true });
          out.send();
          out.cancel();
          out.incomplete("late");
        };
        setTimeout(late, 2);
        await end(out);
        late();
      });
      assert.deepEqual(texts(response)[0], ["x"]);
      await settled();
    });
    assert.deepEqual(unhandled, []);
  }
});

test("a wrong call that nobody awaits fails the run, and is heard", async () => {
  const heard = [];
  const unhandled = await unhandledIn(async () => {
    const { response } = await ran(
      async (out) => {
        const message = out.message();
        message.data([1]);
        await message.text().delta("said all the same");
      },
      { onError: (error) => void heard.push(error.code) },
    );
    assert.equal(response.status, "failed");
    assert.match(response.error.message, MASKED);
    assert.deepEqual(texts(response), [["said all the same"]]);
  });
  assert.deepEqual(unhandled, []);
  assert.deepEqual(heard, ["not-an-object"]);
});

test("a wrong call that somebody awaits is the agent's own affair", async () => {
  const { response } = await ran(async (out) => {
    const message = out.message();
    const wrong = message.data([1]);
    await message.text().delta("x");
    await assert.rejects(wrong, coded("not-an-object"));
    await assert.rejects(Promise.all([message.data([2])]), coded("not-an-object"));
  });
  assert.equal(response.status, "completed");
});

test("an error after the end is heard and changes nothing", async () => {
  const heard = [];
  const { response } = await ran(
    async (out) => {
      await out.incomplete("max_tokens");
      throw new Error("afterthought");
    },
    { onError: (error) => (heard.push(error.message), { code: "C", message: "m" }) },
  );
  assert.deepEqual([response.status, response.error], ["incomplete", null]);
  assert.deepEqual(heard, ["afterthought"]);
});

test("wrong options are refused before the agent begins", () => {
  const agent = () => assert.fail("was begun");
  const refused = [
    [{ headers: { "x-run": "a\nb" } }, "wrong-option"],
    [{ headers: { "no good": "1" } }, "wrong-option"],
    [{ headers: [["one"]] }, "wrong-option"],
    [{ headers: 5n }, "wrong-option"],
    [{ heartbeat: "often" }, "wrong-option"],
    [{ heartbeat: NaN }, "wrong-option"],
    [{ heartbeat: -1 }, "wrong-option"],
    // A timer takes it for one millisecond.
    [{ heartbeat: Infinity }, "wrong-option"],
    [{ heartbeat: 2 ** 31 }, "wrong-option"],
    [{ onError: "log" }, "wrong-option"],
    [{ sessionId: 5 }, "wrong-option"],
    [{ protocol: defineProtocol({ name: "p", contentType: "a\nb", fromHub: () => {} }) }, "wrong-option"],
    [{ protocol: defineProtocol({ name: "p" }) }, "protocol-not-converted"],
  ];
  for (const [options, code] of refused) {
    assert.throws(() => emit(nobody, options, agent), coded(code), JSON.stringify(options, (_, value) => String(value)));
  }
  for (const agent of [undefined, null, {}, "agent"]) {
    assert.throws(() => emit(nobody, {}, agent), coded("wrong-argument"));
  }
  for (const request of [undefined, null, 5, { signal: {} }, { signal: "abort" }]) {
    assert.throws(() => emit(request, {}, agent), coded("wrong-argument"));
  }
});

test("cookies stay several", () => {
  const headers = [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["cache-control", "no-store"]];
  const answer = emit(nobody, { headers }, () => {});
  assert.deepEqual(answer.headers.getSetCookie(), ["a=1", "b=2"]);
  assert.equal(answer.headers.get("cache-control"), "no-store");
});

// A protocol whose functions throw.

const line = (step) => JSON.stringify(step.type === "text" ? { say: step.piece } : { at: step.type });
const breaking = (at, more = {}) =>
  defineProtocol({
    name: "breaking",
    fromHub(step, emit) {
      if (step.type === at) {
        throw new RangeError(`no word for ${at}`);
      }
      emit(line(step));
    },
    ...more,
  });

test("a protocol that cannot write a step fails the run and says the rest", async () => {
  for (const [at, last] of [
    ["start", "end"],
    ["open", "end"],
    ["text", "end"],
    ["end-part", "end"],
    // Without a word for the end there is none.
    ["end", "close"],
  ]) {
    const heard = [];
    const unhandled = await unhandledIn(async () => {
      const onError = (error) => void heard.push([error.code, error.cause?.name]);
      const answer = emit(nobody, { protocol: breaking(at), onError }, async (out) => {
        const text = out.message().text();
        await text.delta("a");
        await text.delta("b");
      });
      const lines = (await answer.text()).trim().split("\n").map((line) => JSON.parse(line));
      assert.equal(lines.at(-1).at, last, at);
    });
    assert.deepEqual(unhandled, [], at);
    assert.deepEqual(heard[0], ["protocol-threw", "RangeError"], at);
  }
});

test("a protocol that cannot write a heartbeat ends no process", async () => {
  const heard = [];
  const unhandled = await unhandledIn(async () => {
    const onError = (error) => void heard.push(error.code);
    const answer = emit(nobody, { protocol: breaking("heartbeat"), heartbeat: 2, onError }, async (out) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await out.message().text().delta("a");
    });
    assert.match(await answer.text(), /"say":"a".*"at":"end"/s);
  });
  assert.deepEqual(unhandled, []);
  assert.deepEqual(heard, ["protocol-threw"]);
});

test("a protocol's broken writer and an abort at once", async () => {
  const unhandled = await unhandledIn(async () => {
    const controller = new AbortController();
    const answer = emit({ signal: controller.signal }, { protocol: breaking("end") }, () => new Promise(() => {}));
    controller.abort();
    await answer.text();
  });
  assert.deepEqual(unhandled, []);
});

test("what a protocol's reader throws is no broken connection", async () => {
  const thrown = new TypeError("no such word");
  const lines = (...events) => new TextEncoder().encode(events.map((event) => `${event}\n`).join(""));
  const protocol = defineProtocol({
    name: "picky",
    toHub(event, hub) {
      if (event === "bad") {
        throw thrown;
      }
      hub.text(event);
    },
  });
  const fault = (error) =>
    error instanceof AgentwireError && error.name === "AgentwireError" && error.code === "protocol-threw" && error.cause === thrown;
  await assert.rejects(read(new Blob([lines("a", "bad", "b")]).stream(), { protocol }).finished(), fault);
  // Whoever goes on has lost nothing but that event.
  const converter = new Converter({ from: protocol, to: "agent-api" });
  assert.throws(() => converter.push(lines("a", "bad", "b")), fault);
  const rest = new TextDecoder().decode(converter.push(lines("c"))) + new TextDecoder().decode(converter.finish());
  assert.match(rest, /"text":"abc"/);
});

test("a protocol's function that returns a promise is refused, and its rejection ends no process", async () => {
  const rejects = async () => fails();
  const unhandled = await unhandledIn(async () => {
    const protocol = (more) => defineProtocol({ name: "p", toHub: () => {}, fromHub: () => {}, ...more });
    const bytes = new TextEncoder().encode("x\n");
    const converting = (more) => new Converter({ from: protocol(more), to: "ag-kit" }).push(bytes);
    assert.throws(() => converting({ toHub: rejects }), coded("protocol-async"));
    assert.throws(() => converting({ state: rejects }), coded("protocol-async"));
    assert.throws(() => protocol({ detect: rejects }).detect("x"), coded("protocol-async"));
    assert.throws(() => new Converter({ from: "ag-kit", to: protocol({ fromHub: rejects }) }).finish(), coded("protocol-async"));
    const heard = [];
    await emit(nobody, { protocol: protocol({ fromHub: rejects }), onError: ({ code }) => void heard.push(code) }, () => {}).text();
    assert.equal(heard[0], "protocol-async");
  });
  assert.deepEqual(unhandled, []);
});

test("a thrown value of a protocol's function can be anything", () => {
  for (const [name, thrown] of Object.entries(THROWN)) {
    for (const part of ["toHub", "fromHub", "detect", "state"]) {
      const throws = () => {
        throw thrown;
      };
      const protocol = defineProtocol({ name: "p", toHub: () => {}, fromHub: () => {}, [part]: throws });
      const use = {
        toHub: () => new Converter({ from: protocol, to: "ag-kit" }).push(new TextEncoder().encode("x\n")),
        fromHub: () => new Converter({ from: "ag-kit", to: protocol }).finish(),
        detect: () => protocol.detect("x"),
        state: () => new Converter({ from: protocol, to: "ag-kit" }),
      };
      assert.throws(use[part], (error) => coded("protocol-threw")(error) && Object.is(error.cause, thrown), `${part}: ${name}`);
    }
  }
});

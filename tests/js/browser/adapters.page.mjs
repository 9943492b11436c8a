// The adapters of `docs/guides/chat.md`, each in a component of its framework. The test that
// bundles this gives it the documents' code.
import { createStreamStore } from "agentwire/store";
import { init, read } from "agentwire/reader";
import { mount, tick, unmount } from "svelte";
import { createApp, h } from "vue";
import { useStore } from "docs:vue";
import { toReadable } from "docs:svelte";
import Answer from "docs:component";

const encoder = new TextEncoder();

function agent() {
  const seen = { asked: 0, aborted: false };
  let controller;
  const store = createStreamStore((signal) => {
    seen.asked++;
    signal.addEventListener("abort", () => (seen.aborted = true));
    const body = new ReadableStream({ start: (begun) => (controller = begun) });
    return read(new Response(body, { headers: { "content-type": "text/event-stream" } }), {
      protocol: "ag-kit",
      signal,
    });
  });
  return {
    seen,
    store,
    say: (content) =>
      controller.enqueue(encoder.encode(`data: ${JSON.stringify({ type: "text", content })}\n\n`)),
  };
}

async function until(isTrue) {
  while (!isTrue()) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Shows a component, lets the snapshot grow and removes the component; returns its texts. */
async function shows(frame) {
  const { seen, store, say } = agent();
  const element = document.body.appendChild(document.createElement("div"));
  const leave = frame(element, store);
  const texts = [];
  const stands = async (text) => {
    await until(() => element.textContent === text);
    texts.push(text);
  };
  await stands("sending ");
  say("Hel");
  await stands("streaming Hel");
  say("lo");
  await stands("streaming Hello");
  await leave();
  await until(() => seen.aborted);
  return { texts, asked: seen.asked, left: element.textContent };
}

const tests = {
  vue: () =>
    shows((element, store) => {
      const app = createApp({
        setup() {
          const state = useStore(store);
          return () => h("p", `${state.value.status} ${state.value.snapshot?.parts[0].text ?? ""}`);
        },
      });
      app.mount(element);
      return () => app.unmount();
    }),
  svelte: () =>
    shows((target, store) => {
      const component = mount(Answer, { target, props: { state: toReadable(store) } });
      return () => tick().then(() => unmount(component));
    }),
};

globalThis.run = async (name) => {
  await init();
  return tests[name]();
};

// The playground: connects the core, the state and the panes.

import { init, version } from "agentwire";
import { AnswerPane } from "./answer_pane.js";
import { BreakMenu } from "./break_menu.js";
import { Chat } from "./chat.js";
import { Chunking } from "./chunking.js";
import { byId, complain, oncePerFrame } from "./dom.js";
import { EventsPane } from "./events_pane.js";
import { WORKER, hasProxy, workerUrl } from "./agent_address.js";
import { followLinks } from "./linked.js";
import { Playback } from "./playback.js";
import { ProtocolPicker } from "./protocol_picker.js";
import { RequestForm } from "./request_form.js";
import { Scrubber } from "./scrubber.js";
import { setUpShortcuts } from "./shortcuts.js";
import { RECORDED, startPage } from "./start.js";
import { Streams } from "./streams.js";
import { setUpTabs } from "./tabs.js";
import { setUpTheme } from "./theme.js";
import { ShareMenu } from "./share_menu.js";
import { ViolationsPane } from "./violations_pane.js";

setUpTheme();
await start();

async function start(): Promise<void> {
  const core = byId("core");
  try {
    await init();
  } catch (error) {
    core.textContent = "no core";
    complain(
      `The WebAssembly core did not load, so nothing can be read: ${error instanceof Error ? error.message : String(error)}. ` +
        "A content security policy has to allow 'wasm-unsafe-eval', and the browser has to support WebAssembly.",
    );
    document.body.classList.add("broken");
    return;
  }
  core.textContent = `core ${version()}`;
  setUp();
  document.body.classList.add("ready");
}

function setUp(): void {
  const playback = new Playback();
  const showPane = setUpTabs(document.querySelector(".tabs")!, (pane) => {
    document.querySelector<HTMLElement>(".panes")!.dataset.shown = pane;
  });
  const showSource = setUpTabs(document.querySelector(".top .switch")!, (source) => {
    for (const panel of ["ask", "request", "open"]) {
      byId(panel).hidden = panel !== source;
    }
  });
  byId("tab-request").addEventListener(
    "click",
    () => void hasProxy().then((isOffered) => request.offerProxy(isOffered)),
  );
  const chat = new Chat(playback);
  const request = new RequestForm(playback);
  const streams = new Streams(playback);
  const sample = (file: string) => () => {
    showSource("open");
    void streams.openSample(file);
  };
  const conversations = [
    {
      text: "OpenAI Responses: what is the weather in Lisbon?",
      act: () => void chat.ask("What is the weather in Lisbon?", "", "responses"),
    },
    {
      text: "AG-UI: compare Paris and Tokyo",
      act: () => void chat.ask("Compare Paris and Tokyo", "", "ag-ui"),
    },
    {
      text: "A2A: a task that waits for approval",
      act: () => void chat.ask("Delete all files", "", "a2a"),
    },
    {
      text: "Agent API: what is the weather in 杭州?",
      act: () => void chat.ask("What is the weather like in 杭州?", "", "agent-api"),
    },
    {
      text: "AG-Kit: change the background to teal",
      act: () => void chat.ask("Change the background to teal", "", "ag-kit"),
    },
    {
      text: "A run that fails halfway",
      act: () => void chat.ask("And in Lisbon?", "failure", "responses"),
    },
  ];
  const start = startPage([
    ...(WORKER === null ? [] : conversations),
    { text: "A recording with violations", act: sample("61_agentscope_thinking_text_tool.sse") },
    { text: "A recording with split emoji", act: sample("34_unicode.sse") },
    ...(WORKER === null ? RECORDED.map(({ text, file }) => ({ text, act: sample(file) })) : []),
  ]);
  const views = [
    new ProtocolPicker(playback),
    new ShareMenu(playback),
    new BreakMenu(playback),
    new EventsPane(playback),
    new AnswerPane(playback, start),
    new ViolationsPane(playback),
    new Scrubber(playback),
    new Chunking(playback),
  ];
  const render = oncePerFrame(() => {
    for (const view of views) {
      view.render();
    }
    updateTabs(playback);
  });
  playback.subscribe(() => {
    complain(null);
    render();
  });
  byId<HTMLAnchorElement>("to-runs").href = workerUrl("runs");
  if (WORKER === null) {
    // A server of static files has no demo agent.
    byId("tab-ask").hidden = byId("to-runs").hidden = true;
    showSource("open");
  }
  setUpShortcuts(showPane);
  showPane("answer");
  render();
  followLinks({ playback, streams, request, showSource });
}

/**
 * Exposes the present stream to styles, and updates the counts on the tabs, which are visible on a
 * phone.
 */
function updateTabs({ recording }: Playback): void {
  document.querySelector<HTMLElement>(".panes")!.dataset.stream = String(recording?.id ?? "");
  const found = recording?.allViolations.length ?? 0;
  byId("show-events").dataset.count = recording ? String(recording.events) : "";
  byId("show-verdict").dataset.count = recording ? String(found) : "";
}

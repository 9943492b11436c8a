// The real service of AgentScope 2, and its sessions.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const PYTHON = process.env.PYTHON ?? "python3";
const HEADERS = { "content-type": "application/json", "x-user-id": "user" };
/** The time without an event after which a reply waits, in milliseconds. */
const QUIET = 700;

/** Runs a Python program of this folder with a text as its input, and returns the JSON that it prints. */
export async function python(program, input) {
  const child = execFile(PYTHON, [join(import.meta.dirname, program)]);
  child.stdin.end(input);
  let text = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(errors);
  return JSON.parse(text);
}

export class Service {
  static async start() {
    const child = spawn(PYTHON, [join(import.meta.dirname, "server.py")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith("{")) return new Service(child, JSON.parse(line));
    }
    throw new Error("the service did not start");
  }

  constructor(child, { url, agent_id, model }) {
    Object.assign(this, { child, url, agent_id, model });
  }

  async post(path, body) {
    const response = await fetch(this.url + path, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** Creates a session. */
  async session() {
    const body = { agent_id: this.agent_id, chat_model_config: this.model };
    const { session_id } = await this.post("/sessions/", body);
    return new Session(this, session_id);
  }

  stop() {
    this.child.kill();
  }
}

export class Session {
  #reply = "";

  constructor(service, id) {
    Object.assign(this, { service, id });
  }

  /** Sends a text. Returns the request, and the stream of the reply. */
  say(text, options) {
    return this.send(
      { name: "user", role: "user", content: [{ type: "text", text }] },
      "REPLY_START",
      options,
    );
  }

  /** Continues the reply that waits. */
  continue(event) {
    return this.send({ ...event, reply_id: this.#reply }, event.type);
  }

  /** Sends an input, and reads the stream from the first event of that type until the reply has ended or waits. */
  async send(input, first, { stopAfter = Number.POSITIVE_INFINITY } = {}) {
    const { url, agent_id } = this.service;
    const stop = new AbortController();
    const response = await fetch(`${url}/sessions/${this.id}/stream?agent_id=${agent_id}`, {
      headers: HEADERS,
      signal: stop.signal,
    });
    const request = { agent_id, session_id: this.id, input };
    await this.service.post("/chat/", request);
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    let [rest, stream, begun, waits, count] = ["", "", false, false, 0];
    for (;;) {
      const next = reader.read();
      const read = await Promise.race([next, waits ? delay(QUIET, undefined) : next]);
      if (read === undefined || read.done) break;
      rest += decoder.decode(read.value, { stream: true });
      const frames = rest.split("\n\n");
      rest = frames.pop();
      let ended = false;
      for (const frame of frames) {
        if (!frame.startsWith("data: ")) continue;
        const event = JSON.parse(frame.slice(6));
        begun ||= event.type === first;
        if (!begun) continue;
        this.#reply = event.reply_id ?? this.#reply;
        // Sessions get a name in the background: the event belongs to no reply.
        if (event.type === "CUSTOM" && event.name === "session_updated") continue;
        stream += `${frame}\n\n`;
        count += 1;
        waits ||= event.type.startsWith("REQUIRE_");
        ended ||= event.type === "REPLY_END";
      }
      if (count >= stopAfter) {
        stopAfter = Number.POSITIVE_INFINITY;
        await this.service.post(`/sessions/${this.id}/interrupt?agent_id=${agent_id}`, null);
      }
      if (ended) break;
    }
    stop.abort();
    // The service stores the reply after its last event.
    await delay(300);
    return { request, stream };
  }
}

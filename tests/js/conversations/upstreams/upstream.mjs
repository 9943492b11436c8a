// The common part of the fake models: records requests, answers them by the script, and compares
// the history in each request with what the model has said and was told before.
import { QUESTIONS, resultOf, script } from "../script.mjs";
import { issued, refuse, refusalOf } from "../rules/refusal.mjs";
import { listen, sendJson, textOf } from "../support/http.mjs";

export class Upstream {
  /** The protocol's name in agentwire. */
  protocol;
  /** The name in the tables. */
  name;
  /** The name of the model that the gateway is started with. */
  model;
  /** The path of the base URL. */
  base = "";
  /** Members that the developer or the client adds to its requests. */
  parameters = {};
  /** Tools of the model's server that the developer adds. */
  serverTools = [];

  constructor() {
    this.reset();
  }

  reset() {
    this.requests = [];
    this.answered = 0;
    this.script = undefined;
    this.hasBegun = false;
    /**
     * The number of answers that another model has given before, whose state this model must not
     * receive.
     */
    this.foreign = 0;
  }

  async start() {
    this.server = await listen((request, response) => this.#handle(request, response));
    this.url = this.server.url + this.base;
  }

  close() {
    return this.server.close();
  }

  /** Continues the conversation of another model. */
  continues(other) {
    this.script = other.script;
    this.answered = this.foreign = other.answered;
  }

  async #handle(http, response) {
    const text = await textOf(http);
    const body = JSON.parse(text);
    const record = {
      path: http.url,
      body,
      text,
      lost: [],
      state: [],
      settings: [],
      isReordered: false,
    };
    this.requests.push(record);
    const refused = refusalOf(() => {
      this.validate(body, http);
      if (!this.hasBegun) this.#begin(body);
      refuse(
        this.script[this.answered] === undefined,
        `the script has no answer ${this.answered + 1}`,
        { status: 500 },
      );
    });
    if (refused) {
      record.refused = refused.message;
      return sendJson(response, refused.status, this.error(refused));
    }
    this.compare(body, record);
    const answer = this.script[this.answered++];
    this.answer(response, answer, body);
  }

  #begin(body) {
    this.hasBegun = true;
    const hasTools = this.begin(body);
    this.script ??= script(hasTools);
  }

  /**
   * The state that the model has issued. Of another model's answers it has issued none, but would
   * have done so with the same script.
   */
  get state() {
    return issued((this.script ?? []).slice(this.foreign).flatMap((answer) => this.issues(answer)));
  }

  /**
   * Compares the history of a request with the expected one: notes content and state that are
   * missing.
   */
  compare(body, record) {
    const [expected, actual] = [this.expected(), this.history(body)];
    const [wanted, found] = [counts(expected), counts(actual)];
    for (const [entry, times] of wanted) {
      if ((found.get(entry) ?? 0) < times)
        (isState(entry) ? record.state : record.lost).push(entry);
    }
    for (const [entry, times] of found) {
      if ((wanted.get(entry) ?? 0) < times && !isState(entry))
        record.lost.push(`not said: ${entry}`);
    }
    const content = (list) => list.filter((entry) => !isState(entry)).join("\n");
    record.isReordered = record.lost.length === 0 && content(expected) !== content(actual);
  }

  /**
   * The history that the next request has to contain: texts such as `user …`, `call …`, `state …`.
   */
  expected() {
    const list = [];
    let asked = -1;
    for (const [at, answer] of this.script.slice(0, this.answered + 1).entries()) {
      for (; asked < answer.question; asked++) list.push(`user ${QUESTIONS[asked + 1]}`);
      if (at === this.answered) break;
      if (at >= this.foreign)
        list.push(...this.states(answer).map((state) => `state ${state}`), ...this.hosted(answer));
      if (answer.text) list.push(`text ${answer.text}`);
      list.push(...answer.calls.map(({ name, args }) => callEntry(name, args)));
      list.push(...answer.calls.map(({ name, args }) => `result ${resultOf(name, args)}`));
    }
    return list;
  }

  /**
   * Reads the settings of the conversation from its first request. Returns whether the request
   * offers tools of the client.
   */
  begin() {
    return false;
  }

  /** The names of what only the model's server can read in an answer, and that has to come back. */
  states() {
    return [];
  }

  /** The values in an answer that have to come back unchanged. */
  secrets() {
    return [];
  }

  /** All values that the model accepts as its own. */
  issues(answer) {
    return this.secrets(answer);
  }

  /** The entries of what the model's server has done in an answer. */
  hosted() {
    return [];
  }

  /** The id of a call in the script. */
  callId(answer, at) {
    return `call_${this.name.replace(/\W/g, "")}_${answer.id}${"abc"[at]}`;
  }
}

/** The entry of a call in a history. */
export const callEntry = (name, args) => `call ${name} ${JSON.stringify(args)}`;

const isState = (entry) => entry.startsWith("state ");
const counts = (list) =>
  list.reduce((all, entry) => all.set(entry, (all.get(entry) ?? 0) + 1), new Map());

// The request that an agent receives: the conversation, in one form for all protocols.

import type { AgentRequest, Json } from "../agentwire.js";
import { type SubmittedResult, submittedResults, userText } from "./answers.js";
import { messagesIn } from "./messages.js";
import type { Message } from "../connect/message.js";
import { asAgentRequest } from "../convert/request.js";
import { check } from "../core/arguments.js";
import { isA } from "../core/errors.js";
import { isObject, parseJson } from "../core/json.js";
import type { Protocol } from "../core/outcome.js";
import type { RequestInputs } from "../generated/registry/types.js";

/** A message of a conversation, as in a chat of `connect`: assignable to `UIMessage` of `ai`. */
export type ConversationMessage = Pick<Message, "id" | "role" | "parts" | "status">;

/** A tool of the client, which the client runs. */
export interface ConversationTool {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of the arguments. */
  readonly parameters: Json;
}

/** The settings of the answer: members of the Agent API's request, such as `model` or `top_p`. */
export type ConversationSettings = Omit<
  Partial<AgentRequest>,
  "input" | "tools" | "session_id" | "user_id" | "id"
>;

/** The request as the client has sent it. */
export interface NativeRequest {
  /** The protocol of the client; the name of a custom one. */
  readonly protocol: string;
  /** The parsed body; the text if it is not JSON. */
  readonly body: Json;
}

/** The origin of a request. */
interface Origin {
  readonly user?: string | undefined;
  /** The protocol of the client, and the text of the body. */
  readonly native?: { readonly protocol: string; readonly body: string } | undefined;
}

/** Marks conversations, and their copies by `{ ...request }`, which have no messages. */
const MARK = Symbol("agentwire conversation");

/** Returns whether a value is a copy of a conversation. */
export function isCopy(request: object): boolean {
  return MARK in request && !isA(request, Conversation);
}

/**
 * What a client asks of an agent, in one form for all protocols. Pass it to `callModel` and
 * `runTools`, which send a model all of it, also what has no member here, such as the signatures of
 * reasoning.
 */
export class Conversation {
  readonly #request: AgentRequest;
  readonly #native: Origin["native"];
  #messages: readonly ConversationMessage[] | undefined;
  /** The id of the conversation. The client chooses it: do not use it as a credential. */
  readonly id: string;
  /** The user whom `authenticate` has returned; undefined without it. */
  readonly user: string | undefined;

  /** Agents receive conversations; others are made by {@link conversationOf}. */
  constructor(request: AgentRequest, { user, native }: Origin = {}) {
    this.#request = request;
    this.#native = native;
    this.id = request.session_id ?? "";
    this.user = user;
    Object.defineProperty(this, MARK, { value: true, enumerable: true });
  }

  /** The messages, the newest last, with the calls of tools and their results as parts. */
  get messages(): readonly ConversationMessage[] {
    return (this.#messages ??= messagesIn(this.#request));
  }

  /** The text of the last message of the user; empty without one. */
  get text(): string {
    return userText(this.#request);
  }

  /**
   * The results of tools and the decisions of the user that came after the last message of the
   * agent, in order: the answers to what the agent asked last.
   */
  get answers(): readonly SubmittedResult[] {
    return submittedResults(this.#request);
  }

  /** The tools of the client. Tools that a provider runs are passed to models only. */
  get tools(): readonly ConversationTool[] {
    const listed = Array.isArray(this.#request.tools) ? this.#request.tools : [];
    return listed.flatMap((tool) => {
      const { name, description, parameters } = Object(Object(tool).function) as {
        readonly [member: string]: unknown;
      };
      return typeof name === "string"
        ? [
            {
              name,
              description: typeof description === "string" ? description : "",
              parameters: (isObject(parameters as Json) ? parameters : {}) as Json,
            },
          ]
        : [];
    });
  }

  /**
   * The settings of the answer, as far as the client has any: `model`, `temperature` and others.
   * `stream` is false if the client asks for a whole answer, and absent otherwise.
   */
  get settings(): ConversationSettings {
    const { input, tools, session_id, user_id, id, state, stream, n, ...settings } = this.#request;
    return {
      ...settings,
      ...(stream === false && { stream }),
      ...(n !== undefined && n !== 1 && { n }),
    };
  }

  /** The state that agent and client share, in AG-UI; undefined in other protocols. */
  get state(): Json | undefined {
    return this.#request["state"] as Json | undefined;
  }

  /**
   * The request as the client has sent it. Undefined in A2A, whose messages are released while a
   * task runs, and if the conversation was made by {@link conversationOf}.
   */
  get native(): NativeRequest | undefined {
    if (this.#native === undefined) {
      return undefined;
    }
    const { protocol, body } = this.#native;
    try {
      return { protocol, body: parseJson(body) };
    } catch {
      return { protocol, body };
    }
  }

  /** Returns the request in the form of the Agent API, with all that has no member here. */
  toJSON(): AgentRequest {
    return this.#request;
  }
}

/**
 * Returns the conversation of a parsed request, for agents that `respond` runs.
 *
 * ```js
 * const asked = conversationOf("ag-ui", parseRequest("ag-ui", await readBody(request)));
 * return respond(request, { protocol: "ag-ui", sessionId: asked.id }, (out) => agent(out, asked));
 * ```
 *
 * @throws RequestError if the request is not valid
 */
export function conversationOf<P extends Protocol>(
  protocol: P,
  request: RequestInputs[P] & object,
): Conversation {
  check("conversationOf", { protocol: "string", request: "object" }, [protocol, request]);
  return new Conversation(
    protocol === "agent-api" ? (request as AgentRequest) : asAgentRequest(protocol, request),
  );
}

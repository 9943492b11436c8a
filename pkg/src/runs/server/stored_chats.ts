// The chats of the AI SDK: after a reload, `useChat({ resume: true })` requests the running answer
// of its chat by `GET {path}/{id}/stream`.

import { ANSWER } from "./answer_thread.js";
import { outcomeIn } from "./answer_log.js";
import {
  type AnswerRequest,
  type AnswerService,
  LEAST,
  missing,
  noAnswer,
} from "./answer_service.js";
import { hashOf } from "./signing.js";
import { membersOf } from "./turns.js";
import { answersIn, listOfChat } from "./user_list.js";

/** The chats of a service. */
export class StoredChats<Env> {
  readonly #answers: AnswerService<Env>;

  constructor(answers: AnswerService<Env>) {
    this.#answers = answers;
  }

  /**
   * Returns the name of the chat of a request, under which its answer is listed while it is
   * running; undefined if the answer belongs to no chat.
   */
  async nameIn({ user, adapter }: AnswerRequest<Env>, body: string): Promise<string | undefined> {
    const { id } = adapter?.protocol === "ai-sdk" ? membersOf(body) : {};
    return typeof id === "string" ? this.#nameOf(user, adapter!.path, id) : undefined;
  }

  /**
   * Returns the running answer of a chat from its beginning; undefined if there is none, or the
   * request is not for one.
   */
  async running(asked: AnswerRequest<Env>): Promise<Response | undefined> {
    const { request, user, pathname, adapter } = asked;
    const { threads } = this.#answers;
    const path = adapter?.protocol === "ai-sdk" ? adapter.path : undefined;
    const id =
      path !== undefined && request.method === "GET" && pathname.startsWith(`${path}/`)
        ? /^(.+)\/stream$/s.exec(pathname.slice(path.length + 1))?.[1]
        : undefined;
    const chat = id === undefined ? undefined : await this.#nameOf(user, path!, decoded(id));
    if (chat === undefined) {
      return undefined;
    }
    const list = listOfChat(user, chat);
    const [latest] = answersIn((await threads.tasks(list)) ?? [], chat);
    if (latest === undefined) {
      return undefined;
    }
    const { thread } = latest;
    const read = await threads.call(thread, "entries", user, ANSWER, "first");
    if ("refused" in read && missing(read) !== noAnswer) {
      return this.#answers.refuse(asked, read);
    }
    if ("refused" in read || read.hasEnded) {
      // A process may be killed after the end of an answer, or after it has deleted one.
      await threads.setTask(list, thread, null);
      return undefined;
    }
    // A refusal of the protocol is only for its own request.
    return outcomeIn(read.entries[0]!.data) === undefined
      ? this.#answers.frames(asked, thread)
      : undefined;
  }

  async #nameOf(user: string, path: string, id: string): Promise<string | undefined> {
    return id.length < (user === "" ? LEAST : 1)
      ? undefined
      : hashOf(JSON.stringify(["chat", user, path, id]));
  }
}

/** Decodes a part of a path. Clients of `ai` 5 do not encode it. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

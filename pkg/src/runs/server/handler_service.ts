// The service of a handler with a store: the answers of its protocols, and the runs endpoints.

import { contextOf } from "../../http/context.js";
import type { Adapter } from "../../server/adapter.js";
import { must } from "../../core/errors.js";
import { logError } from "../../core/error_handler.js";
import {
  type HandlerService,
  type HandlerStore,
  SERVICE,
  type ServiceHost,
  type WhileRunning,
} from "../../server/service.js";
import { runsRefusal } from "../service.js";
import { mapAddresses } from "./attachments.js";
import { HISTORY } from "./conversation_turns.js";
import { foreignRefusal } from "./foreign.js";
import { storeLimits, withDefaults } from "./limits.js";
import { LocalThreads, type RunsThreads } from "./local.js";
import { refuseUnless } from "./refusal.js";
import { RETENTION } from "./retention.js";
import { eventsOfRun } from "./run_agent.js";
import { endpointsOf } from "./runs_adapter.js";
import type { LogStore } from "../../stores/log_store.js";
import { StoreError, withStoreErrors } from "../../stores/store_error.js";
import type { StoredRequest } from "./stored_request.js";
import { StoredAnswers, answerOf, recover } from "./stored_answers.js";
import type { ThreadOptions } from "./thread_options.js";
import { recorded } from "./while_running.js";

/**
 * Makes a store of your own one for `createHandler`.
 *
 * ```js
 * const handler = createHandler({ store: handlerStore(myStore), agent });
 * ```
 */
export function handlerStore<S extends LogStore>(store: S): S & HandlerStore {
  return Object.assign(store, {
    [SERVICE]<Env, Ctx>(this: S, host: ServiceHost<Env, Ctx>): HandlerService {
      const threads: LocalThreads = new LocalThreads(
        withStoreErrors(this),
        threadOptions(host, () => threads),
      );
      return {
        ...serviceOn(host, threads),
        close: (waitMs) => threads.close(waitMs),
      };
    },
  });
}

/** Returns the function that receives the errors of the service. Never throws. */
function reporterOf({ onError, env }: ServiceHost): (error: unknown) => void {
  return (error) => {
    if (onError === undefined) {
      return logError("the store", error);
    }
    const failed = (failure: unknown): void => logError("onError has failed", failure);
    try {
      Promise.resolve(onError(error, contextOf(undefined, { env }))).catch(failed);
    } catch (failure) {
      failed(failure);
    }
  };
}

const WHILE_RUNNING: readonly (WhileRunning | undefined)[] = [
  undefined,
  "refuse",
  "enqueue",
  "interrupt",
];

/** Returns the service on threads of this process, or of others. */
export function serviceOn<Env>(
  host: ServiceHost<Env>,
  threads: RunsThreads,
): Pick<HandlerService, "adapters" | "cors"> {
  const { admit, whileRunning } = host;
  must(
    WHILE_RUNNING.includes(whileRunning),
    "wrong-option",
    "option `whileRunning` is refuse, enqueue or interrupt",
  );
  const onError = reporterOf(host);
  const refuseForeign = foreignRefusal(host.origin);
  const limits = storeLimits(host.limits);
  const answers = new StoredAnswers(host, threads, limits, {
    async admit({ user, env, request }) {
      refuseUnless(
        (await admit?.(user, "answer", env, request)) !== false,
        "AGENT_RATE_LIMIT_EXCEEDED",
        "too many requests of this kind (answer) in a short time",
      );
    },
    refuseForeign,
    onError,
  });
  const stored = (adapter: Adapter): Adapter => {
    const endpoints = endpointsOf(adapter);
    if (endpoints === undefined) {
      return answers.storing(adapter);
    }
    const handler = endpoints.handler({ host, threads, onError, refuseForeign });
    return {
      ...adapter,
      answer: (request, _, options = {}) =>
        handler(request, options.env as Env, options.requestId ?? crypto.randomUUID()),
    };
  };
  return {
    adapters: [...host.adapters.map(stored), answers.adapter],
    cors: { methods: ["GET", "POST", "PATCH", "DELETE"], exposeHeaders: EXPOSED },
  };
}

const EXPOSED = [
  "x-request-id",
  "agentwire-losses",
  "retry-after",
  "content-location",
  "preference-applied",
];

/** Returns the options of the threads of a service. */
export function threadOptions<Env>(
  host: ServiceHost<Env>,
  threads: () => RunsThreads,
): Omit<ThreadOptions, "schedule" | "onIdle"> {
  const onError = reporterOf(host);
  const endpoints = host.adapters.flatMap((adapter) => endpointsOf(adapter) ?? []);
  const attachments = endpoints.map(({ path, attachments }) => ({
    path,
    attachments: attachments(onError),
  }));
  return {
    limits: storeLimits(host.limits),
    retention: withDefaults(RETENTION, host.retention),
    onError,
    async *agent(run, signal) {
      const { user, base, history } = run;
      const own = attachments.find(({ path }) => base.endsWith(path)) ?? attachments[0];
      must(
        own !== undefined,
        "wrong-option",
        "the store has a run, and the handler has no `runsAdapter()`",
      );
      const renew = await own.attachments.renewing(user, base);
      const renewed = await Promise.all(history.map((message) => mapAddresses(message, renew)));
      yield* eventsOfRun(host, { ...run, history: renewed }, signal);
    },
    answer: (request, user, signal, turn) => answerOf(host, request, user, signal, turn),
    conversations: {
      async earlier(user, conversation) {
        const read = await threads().call(conversation, "turns", user, HISTORY);
        if ("messages" in read) {
          return read;
        }
        refuseUnless(read.refused === "AGENT_SESSION_NOT_FOUND", read.refused, read.detail);
        return { messages: [], isCut: false };
      },
      async record(user, conversation, turn, rows) {
        const stored: StoredRequest = {
          ...{ url: "", headers: {}, body: "", runId: turn, conversation },
          turn: rows,
        };
        const input = JSON.stringify(stored);
        const run = { owner: user, base: "", input, hash: turn, key: null };
        const answer = await recorded(threads(), conversation, run);
        if ("refused" in answer) {
          throw new StoreError(runsRefusal(answer.refused, answer.detail));
        }
      },
      recover: (request, frames, turn) => recover(host, request, frames, turn),
    },
  };
}

// The addresses of AgentScope's sessions, beside the one of `POST /chat/`.

/** Returns the path of the sessions for the path of `POST /chat/`. */
export function sessionsPath(chat: string): string {
  return `${chat.replace(/\/chat\/*$/, "").replace(/\/+$/, "")}/sessions/`;
}

/** What is requested of a session. */
export const SESSION_ACTIONS = ["stream", "status", "interrupt", "messages"] as const;

/** One of {@link SESSION_ACTIONS}. */
export type SessionAction = (typeof SESSION_ACTIONS)[number];

// The transport of a chat is one for `useChat` of `ai` 5, 6 and 7.

import type { useChat as useChat5 } from "ai-sdk-react-2";
import type { useChat as useChat6 } from "@ai-sdk/react";
import type { useChat as useChat7 } from "ai-sdk-react-4";
import { connect } from "agentwire/ag-ui";
import { chatTransport } from "agentwire/store";

const transport = chatTransport((chat) => connect("/ag-ui", chat));

export const options5: Parameters<typeof useChat5>[0] = { transport };
export const options6: Parameters<typeof useChat6>[0] = { transport };
export const options7: Parameters<typeof useChat7>[0] = { transport };

// @ts-expect-error a function that returns no chat
chatTransport((chat) => chat.id);

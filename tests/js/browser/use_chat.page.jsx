// A chat as users of the AI SDK write it. Its messages survive a reload of the page.
import { useChat } from "@ai-sdk/react";
import * as ai from "ai";
import { StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";

// `ai` 5 has no approvals. A computed name, because the bundler rejects an import that does not
// exist.
const APPROVED = "lastAssistantMessageIsCompleteWithApprovalResponses";
const transport = new ai.DefaultChatTransport({
  api: new URLSearchParams(location.search).get("api"),
});

function Chat() {
  const {
    messages,
    status,
    error,
    sendMessage,
    regenerate,
    stop,
    addToolOutput,
    addToolApprovalResponse,
  } = useChat({
    id: "chat-1",
    transport,
    messages: JSON.parse(localStorage.getItem("chat") ?? "[]"),
    resume: true,
    sendAutomaticallyWhen: (chat) =>
      ai.lastAssistantMessageIsCompleteWithToolCalls(chat) || ai[APPROVED]?.(chat),
    // The tools of the page.
    onToolCall: ({ toolCall }) => {
      if (toolCall.toolName.startsWith("tool_")) {
        addToolOutput({
          tool: toolCall.toolName,
          toolCallId: toolCall.toolCallId,
          output: `${toolCall.toolName} got ${toolCall.input.n}`,
        });
      }
    },
  });
  useEffect(() => localStorage.setItem("chat", JSON.stringify(messages)), [messages]);
  useEffect(() => {
    globalThis.chat = { sendMessage, regenerate, stop, messages };
  });
  return (
    <>
      <output id="status">{status}</output>
      <output id="error">{error?.message}</output>
      {messages.map(({ id, role, parts }) => (
        <section key={id} className={role}>
          {parts.map((part, at) => (
            <p key={at} className={part.type} data-state={part.state}>
              {part.text ?? part.output?.city ?? part.output}
              {part.type === "file" && <img src={part.url} alt="" />}
              {part.state === "approval-requested" && (
                <button
                  onClick={() => addToolApprovalResponse({ id: part.approval.id, approved: true })}
                >
                  Approve
                </button>
              )}
            </p>
          ))}
        </section>
      ))}
    </>
  );
}

createRoot(document.body.appendChild(document.createElement("main"))).render(
  <StrictMode>
    <Chat />
  </StrictMode>,
);

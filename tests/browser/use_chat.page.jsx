// A chat as users of the AI SDK write it. Its messages survive a reload of the page.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, lastAssistantMessageIsCompleteWithToolCalls } from "ai";
import { StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";

const transport = new DefaultChatTransport({ api: new URLSearchParams(location.search).get("api") });

function Chat() {
  const { messages, status, error, sendMessage, regenerate, stop, addToolOutput, addToolApprovalResponse } = useChat({
    id: "chat-1",
    transport,
    messages: JSON.parse(localStorage.getItem("chat") ?? "[]"),
    resume: true,
    sendAutomaticallyWhen: (chat) => lastAssistantMessageIsCompleteWithToolCalls(chat) || lastAssistantMessageIsCompleteWithApprovalResponses(chat),
    // The tools of the page.
    onToolCall: ({ toolCall }) => {
      if (toolCall.toolName.startsWith("tool_")) {
        addToolOutput({ tool: toolCall.toolName, toolCallId: toolCall.toolCallId, output: `${toolCall.toolName} got ${toolCall.input.n}` });
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
              {part.state === "approval-requested" && <button onClick={() => addToolApprovalResponse({ id: part.approval.id, approved: true })}>Approve</button>}
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

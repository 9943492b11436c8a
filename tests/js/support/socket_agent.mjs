// The agent of the tests of sockets. Its answers are those of `tests/rust/sockets_agent/agent.rs`.

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Returns the agent. Its endless answer pauses for `pauseMs` after each piece. */
export function socketAgent({ pauseMs } = {}) {
  let dropped = 0;
  const agent = async (out, request) => {
    const [given] = request.answers;
    if (given !== undefined) return out.text(`It is ${given.text}.`);
    const { text } = request;
    if (text === "texts") {
      const texts = request.messages.map(({ parts }) =>
        parts.map(({ text }) => text ?? "").join(""),
      );
      return out.text(JSON.stringify(texts));
    }
    if (text === "dropped") return out.text(String(dropped));
    if (text === "endless") {
      out.signal.addEventListener("abort", () => dropped++);
      for (;;) {
        await out.text("more ");
        if (pauseMs !== undefined) await pause(pauseMs);
      }
    }
    if (text.includes("weather"))
      return out.tool("get_weather", { callId: "call_1" }).arguments({ city: "Oslo" });
    if (text.includes("wait")) await pause(100);
    for (const piece of ["You said: ", text]) await out.text(piece);
  };
  /** The number of endless answers whose client has left. */
  return Object.assign(agent, { dropped: () => dropped });
}

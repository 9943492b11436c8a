import { type FormEvent, type KeyboardEvent, useState } from "react";

interface Props {
  readonly isBusy: boolean;
  readonly send: (message: string) => void;
  readonly stop: () => void;
}

/**
 * The input field: Enter sends, Shift+Enter inserts a line break. A message during an answer is
 * sent after it; without a message, the button stops the answer.
 */
export function Composer({ isBusy, send, stop }: Props) {
  const [text, setText] = useState("");
  const submit = () => {
    if (text.trim() !== "") {
      send(text.trim());
      setText("");
    }
  };
  const stops = isBusy && text.trim() === "";
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (stops) {
      stop();
    } else {
      submit();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Enter confirms that word.
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  };
  return (
    <form className="composer" onSubmit={onSubmit}>
      <textarea
        aria-label="Your message"
        placeholder="Ask something…"
        rows={Math.min(text.split("\n").length, 8)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        autoFocus
      />
      <button type="submit" className="primary" disabled={!isBusy && text.trim() === ""}>
        {stops ? "Stop" : "Send"}
      </button>
    </form>
  );
}

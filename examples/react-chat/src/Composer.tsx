import { type FormEvent, useState } from "react";

interface Props {
  readonly isBusy: boolean;
  readonly send: (message: string) => void;
  readonly stop: () => void;
}

/** Where the user writes. While an answer comes, the button stops it. */
export function Composer({ isBusy, send, stop }: Props) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) {
      stop();
    } else if (text.trim() !== "") {
      send(text.trim());
      setText("");
    }
  };
  return (
    <form className="composer" onSubmit={submit}>
      <input aria-label="Your message" placeholder="Ask something…" value={text} onChange={(event) => setText(event.target.value)} autoFocus />
      <button type="submit" className="primary" disabled={!isBusy && text.trim() === ""}>
        {isBusy ? "Stop" : "Send"}
      </button>
    </form>
  );
}

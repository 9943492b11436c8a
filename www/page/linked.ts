// Opens the stream in the address of the page, and updates the address.

import { byId, complain } from "./dom.js";
import { linkedIn } from "./permalink.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";
import type { RequestForm } from "./request_form.js";
import type { Streams } from "./streams.js";

/** The components that open streams. */
export interface Openers {
  readonly playback: Playback;
  readonly streams: Streams;
  readonly request: RequestForm;
  /** Shows a source by the id of its panel. */
  readonly showSource: (panel: string) => void;
}

/**
 * Opens the link in the address, now and after each change. Removes a fragment that does not belong
 * to the present stream.
 */
export function followLinks(openers: Openers): void {
  const { playback } = openers;
  let shown: Recording | null = null;
  let isOpening = false;
  const open = async (): Promise<void> => {
    isOpening = true;
    try {
      await openLink(openers);
    } catch (error) {
      complain(
        `The link of this address could not be opened: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    shown = playback.recording;
    isOpening = false;
  };
  playback.subscribe(() => {
    if (!isOpening && playback.recording !== shown) {
      shown = playback.recording;
      if (location.hash !== "") {
        history.replaceState(null, "", location.href.replace(/#.*/s, ""));
      }
    }
  });
  addEventListener("hashchange", () => void open());
  void open();
}

async function openLink({ playback, streams, request, showSource }: Openers): Promise<void> {
  const linked = await linkedIn(location.hash);
  if (linked === null) {
    return;
  }
  const { content, protocol, position } = linked;
  if ("request" in content) {
    showSource("request");
    request.show(content.request);
    byId("request-send").focus();
    return;
  }
  showSource("open");
  if ("sample" in content) {
    await streams.openSample(content.sample);
  } else {
    playback.load(Recording.of({ source: { kind: "file", name: "link" } }, content.stream));
  }
  const { recording } = playback;
  if (recording !== null && protocol !== "auto") {
    playback.load(recording.readAs(protocol));
  }
  if (position !== null) {
    playback.seek(position);
  }
}

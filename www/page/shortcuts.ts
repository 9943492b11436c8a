// Keys of the page, and the dialog that lists them. The keys for navigation in the stream are in
// the scrubber.

import { byId } from "./dom.js";

/** Elements in which a character is text. */
const TAKES_TEXT = "input, select, textarea, dialog, [contenteditable]";

/** Sets up the keys: `/` focuses the filter, `?` opens the list. */
export function setUpShortcuts(showPane: (pane: string) => void): void {
  const dialog = byId<HTMLDialogElement>("shortcuts-dialog");
  byId("shortcuts").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      (event.target as Element).closest(TAKES_TEXT)
    ) {
      return;
    }
    if (event.key === "/") {
      event.preventDefault();
      showPane("events");
      byId("filter").focus();
    } else if (event.key === "?") {
      dialog.showModal();
    }
  });
}

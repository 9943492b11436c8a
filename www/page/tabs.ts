// Tabs according to the ARIA practices: arrow keys move, one tab stop.

import { setAttribute } from "./dom.js";

/**
 * Sets up the tabs of a list; calls `chosen` with the id of the visible panel, also at the start.
 */
export function setUpTabs(list: Element, chosen: (panel: string) => void): (panel: string) => void {
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const choose = (tab: HTMLElement) => {
    for (const each of tabs) {
      setAttribute(each, "aria-selected", each === tab);
      setAttribute(each, "tabindex", each === tab ? null : -1);
    }
    chosen(tab.getAttribute("aria-controls")!);
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step !== undefined) {
        event.preventDefault();
        const shown = tabs.filter(({ hidden }) => !hidden);
        const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length]!;
        next.focus();
        choose(next);
      }
    });
  }
  return (panel) => {
    const tab = tabs.find((each) => each.getAttribute("aria-controls") === panel);
    if (tab !== undefined) {
      choose(tab);
    }
  };
}

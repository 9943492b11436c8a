// A menu below a button: arrow keys move, the first item receives the focus.

import { el } from "./dom.js";

/** An entry: a name, and a hint next to it. */
export interface MenuItem {
  readonly name: string;
  readonly hint: string;
  readonly act: () => void;
}

/** Makes a popover the menu of its button. Returns the buttons of the items. */
export function setUpMenu(
  button: HTMLElement,
  menu: HTMLElement,
  items: readonly MenuItem[],
): readonly HTMLButtonElement[] {
  const buttons = items.map(({ name, hint, act }) => {
    const item = el(
      "button",
      { type: "button", role: "menuitem" },
      el("b", {}, name),
      el("span", {}, hint),
    );
    item.addEventListener("click", () => {
      menu.hidePopover();
      act();
    });
    return item;
  });
  menu.append(...buttons);
  const enabled = (): HTMLButtonElement[] => buttons.filter(({ disabled }) => !disabled);
  menu.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "open") {
      place(button, menu);
      enabled()[0]?.focus();
    }
  });
  menu.addEventListener("keydown", (event) => {
    const all = enabled();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[(to + all.length) % all.length]!.focus();
    }
  });
  return buttons;
}

/** Places the menu below the button, at the same right edge. */
function place(button: HTMLElement, menu: HTMLElement): void {
  const { bottom, right } = button.getBoundingClientRect();
  const { width } = menu.getBoundingClientRect();
  menu.style.top = `${bottom + 6}px`;
  menu.style.left = `${Math.max(8, Math.min(right, innerWidth - 8) - width)}px`;
}

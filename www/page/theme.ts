// The theme: dark, light, or that of the system.

import { byId } from "./dom.js";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const KEY = "agentwire-theme";

/** Applies the stored theme, and makes the button cycle through all three. */
export function setUpTheme(): void {
  const button = byId("theme");
  let theme = remembered();
  const apply = () => {
    const root = document.documentElement;
    if (theme === "system") {
      root.removeAttribute("data-theme");
    } else {
      root.setAttribute("data-theme", theme);
    }
    button.dataset.now = theme;
    button.setAttribute("aria-label", `Theme: ${theme}`);
    button.title = `Theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    remember(theme);
    apply();
  });
  apply();
}

// Storage may be forbidden; then the theme lasts until the page is closed.
function remembered(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden, as above.
  }
}

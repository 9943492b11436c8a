// Helpers for elements. Text from streams is only inserted as text nodes.

/** A child of an element; the last three are ignored. */
export type Child = Node | string | null | undefined | false;

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Creates an element. `true` sets an attribute without a value; `false`, null and undefined set
 * none.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    setAttribute(element, name, value);
  }
  append(element, children);
  return element;
}

/** Sets, changes or removes an attribute. Booleans of ARIA attributes are written as words. */
export function setAttribute(element: Element, name: string, value: Attributes[string]): void {
  if (typeof value === "boolean" && name.startsWith("aria-")) {
    element.setAttribute(name, String(value));
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/**
 * Sets an element's text, if it differs. A text that has only grown keeps its node and the reader's
 * selection.
 */
export function setText(element: Element, text: string): void {
  const only = element.childNodes.length === 1 ? element.firstChild : null;
  if (!(only instanceof Text)) {
    element.textContent = text;
    return;
  }
  if (only.data === text) {
    return;
  }
  if (text.startsWith(only.data)) {
    only.appendData(text.slice(only.length));
  } else {
    only.data = text;
  }
}

/** Returns the element with this id, which must exist. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no #${id}`);
  }
  return element as T;
}

/** Shows an error above the page; null removes it. */
export function complain(what: string | null): void {
  const trouble = byId("trouble");
  trouble.hidden = what === null;
  trouble.textContent = what;
}

/** Draws a value into an element, unless the element shows that value already. */
export function drawOnce(element: Element, value: unknown, draw: () => Node): void {
  if (drawn.get(element) !== value || !element.hasChildNodes()) {
    drawn.set(element, value);
    fill(element, draw());
  }
}

const drawn = new WeakMap<Element, unknown>();

/**
 * Renders a view for each item into a container, in order. A view is kept by the key of its item,
 * and removed with it.
 *
 * Only elements in another position are moved: moving closes selections and stops animations.
 */
export function renderEach<T, V extends { readonly element: Element }>(
  container: Element,
  views: Map<string, V>,
  items: readonly T[],
  keyOf: (item: T) => string,
  viewOf: (item: T) => V,
  render: (view: V, item: T) => void,
): void {
  const present = new Set(items.map(keyOf));
  for (const [key, view] of views) {
    if (!present.has(key)) {
      view.element.remove();
      views.delete(key);
    }
  }
  items.forEach((item, at) => {
    const view = views.get(keyOf(item)) ?? viewOf(item);
    views.set(keyOf(item), view);
    render(view, item);
    if (container.children[at] !== view.element) {
      container.insertBefore(view.element, container.children[at] ?? null);
    }
  });
}

/** Returns a function that runs `work` once before the next paint, however often it is called. */
export function oncePerFrame(work: () => void): () => void {
  let waiting = false;
  return () => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        work();
      });
    }
  };
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
}

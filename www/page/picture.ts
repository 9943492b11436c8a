// Images. An image in the stream is shown; an image at another address is loaded only on request,
// because a pasted stream must not make this page send requests.

import { el, fill } from "./dom.js";

/**
 * Returns the picture at an address, or a sentence about it. Only `data:` images and `https:` are
 * ever loaded.
 */
export function pictureOf(address: string | null): HTMLElement {
  if (address === null || address === "") {
    return el("p", { class: "fact" }, el("b", {}, "image"), " without an address yet");
  }
  if (/^data:image\//i.test(address)) {
    return figure(address);
  }
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== "https:") {
    return el(
      "p",
      { class: "fact" },
      el("b", {}, "image"),
      " not loaded, its address is neither data: nor https: ",
      short(address),
    );
  }
  const place = el("div", { class: "fact" }, el("b", {}, "image"), ` at ${url.host} `);
  const button = el("button", { type: "button" }, "Load it");
  button.addEventListener("click", () => fill(place, figure(url.href)));
  place.append(button);
  return place;
}

function figure(address: string): HTMLElement {
  const image = el("img", {
    src: address,
    alt: "image from the stream",
    referrerpolicy: "no-referrer",
  });
  image.addEventListener("error", () =>
    image.replaceWith(
      el("span", { class: "fact" }, `an image that cannot be shown: ${short(address)}`),
    ),
  );
  return image;
}

function short(address: string): string {
  return address.length > 80 ? `${address.slice(0, 80)}…` : address;
}

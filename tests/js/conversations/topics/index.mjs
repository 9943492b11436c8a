// What single requests have, topic by topic: `sources` has a request of each protocol that has the
// thing, `targets` what the converted request has to contain (match.mjs), or null if the target
// cannot have it. With `ofProvider`, the thing belongs to one provider: a text that must not be in
// requests of another one.
import history from "./history.mjs";
import identity from "./identity.mjs";
import interactions from "./interactions.mjs";
import items from "./items.mjs";
import media from "./media.mjs";
import settings from "./settings.mjs";
import tools from "./tools.mjs";

export const TOPICS = [
  ...settings,
  ...tools,
  ...media,
  ...history,
  ...items,
  ...identity,
  ...interactions,
];

// Conversions of single requests: each source of each topic to each target, with its result.
//
// | result  | meaning
// |
// |---------|-----------------------------------------------------------------------------------------------|
// | carried | in the converted request; or, if the target cannot have it, left out and in the list
// of losses |
// | noted   | lost, although the target could have it, and in the list of losses
// |
// | silent  | lost, or sent to another provider, and not in the list of losses
// |
// | invalid | the API refuses the converted request
// |
// | threw   | the conversion throws
// |
import { convertRequest } from "agentwire";
import { JUDGED, invalidity, providerOf } from "./rules/index.mjs";
import { TOPICS } from "./topics/index.mjs";
import { matches } from "./topics/match.mjs";
import { BASE } from "./topics/requests.mjs";

/**
 * Returns the topics with their directions: the source, the target, the request, and a function
 * that converts and judges it.
 */
export const conversions = () =>
  TOPICS.map((topic) => ({ topic: topic.topic, directions: directionsOf(topic) }));

function directionsOf({ sources, targets, ofProvider }) {
  return Object.entries(sources).flatMap(([from, request]) =>
    Object.entries(targets).map(([to, pattern]) => {
      const secret = providerOf(from) === providerOf(to) ? undefined : ofProvider;
      return { from, to, request, judge: () => judged({ from, to, request, pattern, secret }) };
    }),
  );
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function judged({ from, to, request, pattern, secret }) {
  let converted;
  try {
    converted = convert(request, from, to);
  } catch (error) {
    return { result: "threw", reason: String(error) };
  }
  const { request: sent, losses } = converted;
  const refused = JUDGED.includes(to) && invalidity(to, sent, from);
  if (refused) return { result: "invalid", reason: refused, losses, sent };
  if (secret !== undefined && JSON.stringify(sent).includes(secret))
    return { result: "silent", reason: "what belongs to another provider is sent", losses, sent };
  const usual = new Set(convert(BASE[from], from, to).losses);
  const isNoted = losses.some((loss) => !usual.has(loss));
  if (pattern === null)
    return {
      result: isNoted ? "carried" : "silent",
      reason: "the target cannot have it",
      losses,
      sent,
    };
  if (matches(pattern, sent)) return { result: "carried", losses, sent };
  return { result: isNoted ? "noted" : "silent", reason: "not in the request", losses, sent };
}

function convert(request, from, to) {
  const { request: sent, losses } = convertRequest(structuredClone(request), { from, to });
  // Some places are ids that are new each time.
  const named = ({ kind, location, place = location }) => `${kind}: ${place.replace(UUID, "…")}`;
  return { request: sent, losses: losses.map(named) };
}

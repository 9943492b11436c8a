// The recorded answers of models as histories: the next request after each valid stream of the
// corpus, with the results of its calls and a question, as the entry point of its protocol makes
// it, and converted to the other APIs.
import { Decoder, convertRequest, parseJson } from "agentwire";
import { cases } from "../node/support/cases.mjs";
import { READERS, firstRequest } from "./clients/readers.mjs";
import { JUDGED } from "./rules/index.mjs";

/**
 * Resolves to the requests: the case, the protocol of its answer, the target, and a function that
 * returns the request.
 */
export async function requestsAfterAnswers() {
  const all = await cases();
  const valid = all.filter(
    ({ protocol, violations }) =>
      JUDGED.includes(protocol) &&
      !parseJson(violations).some(({ severity }) => severity === "error"),
  );
  return valid.flatMap(({ path, protocol: from, options, stream }) => {
    const name = path.replace("tests/data/corpus/", "");
    return JUDGED.map((to) => ({
      name,
      from,
      to,
      make: () => convertedTo(to, from, next(from, stream, options)),
    }));
  });
}

function next(protocol, stream, options) {
  const decoder = new Decoder({ protocol, ...options });
  decoder.push(stream);
  const { snapshot } = decoder.finish();
  const { nextRequest, pendingToolCalls, submitToolResults } = READERS[protocol];
  const request = firstRequest({ protocol, model: "m", parameters: {}, serverTools: [] }, "hi");
  const calls = pendingToolCalls(snapshot);
  if (calls.length === 0) return nextRequest(request, snapshot, "and?");
  const answers = (isApproval, answer) =>
    Object.fromEntries(
      calls
        .filter(({ kind }) => (kind === "approval") === isApproval)
        .map(({ id }) => [id, answer]),
    );
  return submitToolResults(request, snapshot, answers(false, "18"), {
    decisions: answers(true, true),
  });
}

function convertedTo(to, from, request) {
  return to === from ? request : convertRequest(request, { from, to }).request;
}

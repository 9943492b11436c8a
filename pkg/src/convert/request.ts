// The result of a request conversion.

import { accepted } from "../request.js";
import { type CoreLoss, type Loss, lossOf } from "./losses.js";

/** A converted request and its losses. */
export interface ConvertedRequest<Request> {
  /** The request object of the target protocol. */
  readonly request: Request;
  /** The parts of the source that the target cannot represent. */
  readonly losses: readonly Loss[];
}

/** Parses the result of the core: `[request, losses]`, or a refusal, which is thrown. */
export function converted<Request>(json: string): ConvertedRequest<Request> {
  const [request, { losses }] = accepted(json) as [Request, { losses: readonly CoreLoss[] }];
  return { request, losses: losses.map(lossOf) };
}

// The same question in another protocol.

import { accepted } from "../request.js";
import { type CoreLoss, type Loss, lossOf } from "./losses.js";

/** A request, and what it could not carry. */
export interface ConvertedRequest<Request> {
  readonly request: Request;
  readonly losses: readonly Loss[];
}

/** The core gives `[request, losses]`, or a refusal. */
export function converted<Request>(json: string): ConvertedRequest<Request> {
  const [request, { losses }] = accepted(json) as [Request, { losses: readonly CoreLoss[] }];
  return { request, losses: losses.map(lossOf) };
}

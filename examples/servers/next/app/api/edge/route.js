// The same in Next's edge runtime, which Next 16 calls deprecated.
import { handlerAt } from "../../../agent.mjs";

export const runtime = "edge";
const serve = handlerAt("/api/edge");
export const POST = (request) => serve(request);

// A route handler in Next's edge runtime, which is deprecated since Next 16.
import { handlerAt } from "../../../agent.mjs";

export const runtime = "edge";
const serve = handlerAt("/api/edge");
export const POST = (request) => serve(request);

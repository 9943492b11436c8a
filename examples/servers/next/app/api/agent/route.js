// A route handler in Next's Node runtime.
import { handlerAt } from "../../../agent.mjs";

const serve = handlerAt("/api/agent");
export const POST = (request) => serve(request);

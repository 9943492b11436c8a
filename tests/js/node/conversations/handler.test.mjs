// One client for each protocol with every fake model, through a handler in TypeScript: the fast
// part of `cargo xtask test conversations`.
import { ONE_PER_PROTOCOL } from "../../conversations/clients/index.mjs";
import { handler } from "../../conversations/paths/handler.mjs";
import { pathTests } from "../../conversations/tables.mjs";

pathTests(handler, ONE_PER_PROTOCOL);

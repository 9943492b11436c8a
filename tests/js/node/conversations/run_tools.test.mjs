// One client for each protocol with every fake model, through a server in TypeScript with tools of
// its own: the fast part of
// `cargo xtask test conversations`.
import { ONE_PER_PROTOCOL } from "../../conversations/clients/index.mjs";
import { withTools } from "../../conversations/paths/handler.mjs";
import { pathTests } from "../../conversations/tables.mjs";

pathTests(withTools, ONE_PER_PROTOCOL);

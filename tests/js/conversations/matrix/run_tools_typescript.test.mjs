// Every client with every fake model through a server in TypeScript with tools of its own.
import { withTools } from "../paths/handler.mjs";
import { pathTests } from "../tables.mjs";

pathTests(withTools);

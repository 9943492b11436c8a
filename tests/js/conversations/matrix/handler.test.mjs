// Every client with every fake model through a handler in TypeScript.
import { handler } from "../paths/handler.mjs";
import { pathTests } from "../tables.mjs";

pathTests(handler);

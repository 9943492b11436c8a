// Every client with every fake model through a handler in TypeScript that has a store.
import { storing } from "../paths/handler.mjs";
import { pathTests } from "../tables.mjs";

pathTests(storing);

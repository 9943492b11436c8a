// Every client with every fake model through the gateway.
import { gateway } from "../paths/programs.mjs";
import { pathTests } from "../tables.mjs";

pathTests(gateway);

// Every client with every fake model through the gateway with a store.
import { storingGateway } from "../paths/programs.mjs";
import { pathTests } from "../tables.mjs";

pathTests(storingGateway);

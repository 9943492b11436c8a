// Every client with every fake model through a server in Rust with tools of its own.
import { rust } from "../paths/programs.mjs";
import { pathTests } from "../tables.mjs";

pathTests(rust);

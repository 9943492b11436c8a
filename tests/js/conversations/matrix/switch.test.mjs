// Conversations that change the model at the second question: the second must not receive the state
// of the first.
import { switching } from "../paths/handler.mjs";
import { switchTests } from "../tables.mjs";

switchTests(switching);

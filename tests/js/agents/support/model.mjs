// Fake models for agents: those of the conversations, which follow the steps of a task instead of
// their script, and call the tools that the request offers.
import { refuse } from "../../conversations/rules/refusal.mjs";
import { FAULTS } from "./faults.mjs";
import { callEntry } from "../../conversations/upstreams/upstream.mjs";

/**
 * Makes a fake model follow the steps of a task: `{ reasoning, text, calls }`, where a call is
 * `{ tool, args }` or, if its input is a text, `{ tool, text }`, with `expect`, a pattern of its
 * result, and `or`, a call of another tool if this one is not offered. A step with a `fault` fails in this way (see faults.mjs), and the next one is the answer to
 * the request that the agent repeats.
 */
export function follow(upstream, steps) {
  upstream.reset();
  upstream.script = steps.map(({ reasoning = "", text, calls = [], fault }, at) => ({
    id: at + 1,
    question: 0,
    reasoning,
    text,
    calls,
    fault,
  }));
}

/** Returns the class of a fake model whose answers are those of a task. */
export const ofTask = (Kind) =>
  class extends Kind {
    /** Notes what of the earlier answers and their results the request does not have. */
    compare(body, record) {
      if (this.isAside(body)) return;
      const history = this.history(body);
      const said = this.script.slice(0, this.answered).filter(({ fault }) => !fault);
      const results = history.filter((entry) => entry.startsWith("result "));
      for (const answer of said) {
        const calls = answer.calls.map(({ name, args, input }) => callEntry(name, input ?? args));
        // Agents keep what has arrived before a fault, so that it can be in the same message.
        const isSaid = history.some(
          // Agents may add white space at the end.
          (entry) => entry.startsWith("text ") && entry.trimEnd().endsWith(answer.text ?? ""),
        );
        if (answer.text && !isSaid) record.lost.push(`text ${answer.text}`);
        const states = this.states(answer).map((state) => `state ${state}`);
        for (const entry of calls) if (!history.includes(entry)) record.lost.push(entry);
        for (const entry of states) if (!history.includes(entry)) record.state.push(entry);
        for (const { expect } of answer.calls) {
          const at = results.findIndex((result) => expect.test(result));
          if (at < 0) record.lost.push(`a result like ${expect}: ${results.join(" | ")}`);
        }
      }
      const calls = said.flatMap((answer) => answer.calls);
      if (results.length < calls.length)
        record.lost.push(`${results.length} results of ${calls.length} calls`);
    }

    answer(response, answer, body) {
      if (this.isAside(body)) {
        this.answered--;
        return super.answer(response, { ...answer, calls: [], text: "A title" }, body);
      }
      const offered = this.offered(body);
      answer.calls = answer.calls.map((call) => ({ ...call, ...resolved(call, offered) }));
      const send = (to) => super.answer(to, answer, body);
      if (answer.fault) FAULTS[answer.fault](response, this, send);
      else send(response);
    }

    validate(body, http) {
      super.validate(body, http);
      if (this.isAside(body)) return;
      const { calls = [] } = this.script[this.answered] ?? {};
      const offered = this.offered(body);
      for (const call of calls) {
        const names = offered.map(({ name }) => name).join(", ");
        refuse(!resolved(call, offered), `the tool ${call.tool} is not offered: ${names}`);
      }
    }

    /**
     * Whether a request is outside of a task with calls: for the title of the session, agents offer
     * no tools.
     */
    isAside(body) {
      return this.script.some(({ calls }) => calls.length > 0) && this.offered(body).length === 0;
    }

    /** Returns the tools of a request: `{ name, namespace, isText, item, schema }`. */
    offered({ tools = [], input = [] }) {
      const items = Array.isArray(input) ? input : [];
      const added = items.filter(({ type }) => ADD_TOOLS.includes(type));
      const all = [...tools, ...added.flatMap((item) => item.tools)];
      return all.flatMap((tool) => toolsIn(tool));
    }
  };

/** The items of Responses that add tools. */
const ADD_TOOLS = ["additional_tools", "tool_search_output"];

/** Returns the tools that a declaration in any of the protocols has. */
function toolsIn(tool, namespace) {
  if (tool.functionDeclarations)
    return tool.functionDeclarations.map(({ name, parametersJsonSchema, parameters }) => ({
      name,
      schema: parametersJsonSchema ?? parameters,
    }));
  if (tool.type === "namespace") return tool.tools.flatMap((inner) => toolsIn(inner, tool.name));
  if (tool.type === "tool_search") return [{ name: tool.type, item: "tool_search_call" }];
  const described = tool.function ?? tool.custom ?? tool;
  const schema = described.parameters ?? described.input_schema;
  return [{ name: described.name, namespace, isText: tool.type === "custom", schema }];
}

/** Returns a call as the model makes it: by the name and in the form in which the tool is offered. */
function resolved({ tool, args, text, or }, offered) {
  const known = offered.find(
    ({ name = "", namespace }) =>
      name === tool || `${namespace}__${name}` === tool || name.endsWith(`__${tool}`),
  );
  if (!known) return or && resolved(or, offered);
  const { name, namespace, isText, item, schema } = known;
  if (text === undefined) return { name, namespace, item, args };
  if (isText) return { name, namespace, input: text };
  const [only] = Object.keys(schema?.properties ?? {});
  return { name, namespace, args: { [only]: text } };
}

/**
 * Returns what is wrong with the requests that a model has received. `keepsState`: whether the agent
 * sends back what only the model can read.
 */
export const faultsOf = ({ requests }, keepsState = true) =>
  requests.flatMap(({ refused, lost, state, settings }, at) =>
    [...(refused ? [refused] : []), ...lost, ...(keepsState ? state : []), ...settings].map(
      (fault) => `request ${at + 1}: ${fault}`,
    ),
  );

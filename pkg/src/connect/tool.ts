// The tools of a client: their description for the agent, and the function that executes a call.

import type { Json } from "../agentwire.js";
import type { ToolCall } from "../read/tool_call_view.js";

/** The second argument of `execute`. */
export interface ToolContext {
  /** The call. */
  readonly call: ToolCall;
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
}

/** A tool that the agent may call and that the client executes. {@link defineTool} infers the type of the arguments. */
export interface AgentTool {
  /** The description of the tool, for the model. */
  readonly description?: string | undefined;
  /** The JSON Schema of the arguments: an object without properties by default. */
  readonly parameters?: object | undefined;
  /**
   * Executes a call. The returned value is sent as the result; a thrown error is sent as the text `Error: …`. Calls of
   * a tool without this function stay pending.
   *
   * @param args the arguments of the model, which can be any JSON: check them. Declare the type that `parameters`
   * describes, or use {@link defineTool}
   */
  execute?(args: unknown, context: ToolContext): unknown;
}

/** The tools by name. */
export type AgentTools = Readonly<Record<string, AgentTool>>;

/**
 * Returns the tool unchanged. The compiler infers the type of the arguments from `parameters`.
 *
 * ```js
 * const parameters = { type: "object", properties: { color: { type: "string" } }, required: ["color"] };
 * const paint = defineTool({ parameters, execute: ({ color }) => (document.body.style.background = color) });
 * ```
 *
 * In TypeScript write `parameters` inside of the call, or after `as const`. The keywords `type`, `properties`,
 * `required`, `items`, `enum`, `const` and `anyOf` are inferred; other schemas give `unknown`. At run time the arguments
 * are those of the model, unchecked.
 */
export function defineTool<const S extends object = { readonly type: "object" }>(tool: {
  readonly description?: string | undefined;
  readonly parameters?: S | undefined;
  execute?(args: SchemaValue<S>, context: ToolContext): unknown;
}): AgentTool {
  return tool;
}

/** The value that a JSON Schema describes. */
export type SchemaValue<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Each)[] }
      ? SchemaValue<Each>
      : S extends { readonly type: infer Type }
        ? ValueOf<Type, S>
        : unknown;

type ValueOf<Type, S> = Type extends keyof Scalars
  ? Scalars[Type]
  : Type extends "array"
    ? readonly (S extends { readonly items: infer Item } ? SchemaValue<Item> : unknown)[]
    : Type extends "object"
      ? ObjectOf<S>
      : Type extends readonly (infer Each)[]
        ? ValueOf<Each, S>
        : unknown;

interface Scalars {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type ObjectOf<S> = S extends { readonly properties: infer Properties }
  ? { readonly [Name in keyof Properties & RequiredOf<S>]: SchemaValue<Properties[Name]> } & {
      readonly [Name in Exclude<keyof Properties, RequiredOf<S>>]?: SchemaValue<Properties[Name]>;
    }
  : Readonly<Record<string, unknown>>;

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** The result of a call that the user has skipped: models reject a thread with a call without a result. */
export const NOT_ANSWERED = "Error: the call was not answered";

/** Returns the tools as functions with a name, a description and a schema. */
export function functionsOf(tools: AgentTools | undefined): { readonly name: string; readonly description: string; readonly parameters: Json }[] {
  return Object.entries(tools ?? {}).map(([name, { description = "", parameters = NO_PARAMETERS }]) => ({ name, description, parameters: parameters as Json }));
}

const NO_PARAMETERS = { type: "object", properties: {} };

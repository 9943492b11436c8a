// The tools of a client: their description for the agent, and the function that executes a call.

import type { Json } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import { AgentwireError, must } from "../core/errors.js";
import type { ToolCall } from "../read/tool_call_view.js";

/** The second argument of `execute`. */
export interface ToolContext {
  /** The call. Its `arguments` are exact: integers that a number cannot hold are `bigint`. */
  readonly call: ToolCall;
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
}

/**
 * A schema of a library: zod, valibot, arktype and others ({@link https://standardschema.dev |
 * Standard Schema}).
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    /** Returns the JSON Schema, in libraries that have one. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** The result of a validation: `value`, or `issues`. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/**
 * A tool that the agent may call and that the client executes. {@link defineTool} infers the type
 * of the input.
 */
export interface AgentTool {
  /** The description of the tool, for the model. */
  readonly description?: string | undefined;
  /**
   * The schema of the input: a JSON Schema, or the schema of a library, which also validates the
   * input before `execute`. An object without properties by default.
   */
  readonly parameters?: object | StandardSchema | undefined;
  /** The JSON Schema for the model, if the library of `parameters` has none. */
  readonly jsonSchema?: object | undefined;
  /**
   * Executes a call. The returned value is sent as the result; a thrown error is sent as the text
   * `Error: …`. Calls of a tool without this function wait for `answer`.
   *
   * @param input the arguments of the model, validated if `parameters` is the schema of a library;
   * otherwise any JSON: check them
   */
  execute?(input: unknown, context: ToolContext): unknown;
}

/** The tools by name. */
export type AgentTools = Readonly<Record<string, AgentTool>>;

/**
 * Returns the tool unchanged. The compiler infers the type of the input from `parameters`.
 *
 * ```js
 * const parameters = { type: "object", properties: { color: { type: "string" } }, required: ["color"] };
 * const paint = defineTool({ parameters, execute: ({ color }) => (document.body.style.background = color) });
 * ```
 *
 * In TypeScript write a JSON Schema inside of the call, or after `as const`. The keywords `type`,
 * `properties`, `required`, `items`, `enum`, `const` and `anyOf` are inferred; other schemas give
 * `unknown`. The input is validated for schemas of a library only.
 */
export function defineTool<const S extends object = { readonly type: "object" }>(tool: {
  readonly description?: string | undefined;
  readonly parameters?: S | undefined;
  readonly jsonSchema?: object | undefined;
  execute?(
    input: S extends StandardSchema<infer Output> ? Output : SchemaValue<S>,
    context: ToolContext,
  ): unknown;
}): AgentTool {
  return tool as AgentTool;
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

/**
 * The result of a call that the user has skipped: models reject a thread with a call without a
 * result.
 */
export const NOT_ANSWERED = "Error: the call was not answered";

/** A tool as requests describe it. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

/** Returns the tools as functions with a name, a description and a JSON Schema. */
export function functionsOf(tools: AgentTools = {}): DescribedTool[] {
  return Object.entries(tools).map(([name, tool]) => ({
    name,
    description: tool.description ?? "",
    parameters: jsonSchemaOf(name, tool) as Json,
  }));
}

/** Checks tools before they are used. */
export function checkTools(called: string, tools: AgentTools): void {
  for (const [name, tool] of Object.entries(tools)) {
    must(
      typeof tool === "object" && tool !== null,
      "wrong-option",
      `${called}: the tool \`${name}\` is an object: { description, parameters, execute }`,
    );
    knownOptions(`${called}: the tool \`${name}\``, tool, [
      "description",
      "parameters",
      "jsonSchema",
      "execute",
    ]);
    jsonSchemaOf(name, tool);
  }
}

const NO_PARAMETERS = { type: "object", properties: {} };

function jsonSchemaOf(name: string, { parameters, jsonSchema }: AgentTool): object {
  if (jsonSchema !== undefined) {
    return jsonSchema;
  }
  const standard = standardOf(parameters);
  if (standard === undefined) {
    return parameters ?? NO_PARAMETERS;
  }
  must(
    standard.jsonSchema !== undefined,
    "wrong-option",
    `the schema of the tool \`${name}\` (${standard.vendor}) has no JSON Schema: add it as \`jsonSchema\` of the tool`,
  );
  return standard.jsonSchema.input({ target: "draft-2020-12" });
}

function standardOf(parameters: AgentTool["parameters"]): StandardSchema["~standard"] | undefined {
  // The schemas of arktype are functions.
  return (parameters as Partial<StandardSchema> | undefined)?.["~standard"];
}

/**
 * Returns the input for `execute`: the arguments of the call, as the schema of a library returns
 * them. Throws if they do not fit.
 */
export async function inputOf({ parameters }: AgentTool, call: ToolCall): Promise<unknown> {
  const { arguments: callArguments } = call;
  must(callArguments !== undefined, "not-json", "the arguments are not JSON");
  const standard = standardOf(parameters);
  if (standard === undefined) {
    return callArguments;
  }
  const result = await standard.validate(callArguments);
  if (result.issues === undefined) {
    return result.value;
  }
  throw new AgentwireError(
    "wrong-argument",
    `the arguments do not fit the schema: ${result.issues.map(issueText).join("; ")}`,
  );
}

function issueText({
  message,
  path = [],
}: {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}): string {
  const place = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  return place === "" ? message : `${place}: ${message}`;
}

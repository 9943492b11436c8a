// A run of the Agent API being written: what a converter makes the other protocols of.

import { Emission } from "./emission.js";
import type { JsonObject } from "./options.js";
import type { Out } from "./out.js";
import type { ResponseBuilder } from "./response_builder.js";

/** What users get as `Out`. */
export class AgentApiEmission extends Emission<ResponseBuilder> implements Out {
  get response(): ResponseBuilder {
    return this.writer;
  }

  override open(): void {
    this.begin(() => [this.writer.created(), this.writer.inProgress()]);
  }

  override usage(usage: JsonObject): void {
    this.begin(() => (this.writer.setUsage(usage), []));
  }
}

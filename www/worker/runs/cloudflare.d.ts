// The platform's own module, as far as it is used.

declare module "cloudflare:workers" {
  /** Objects whose public methods can be called from the worker. */
  export class DurableObject<Env = unknown> {
    constructor(ctx: import("./platform.js").ObjectState, env: Env);
    protected readonly ctx: import("./platform.js").ObjectState;
    protected readonly env: Env;
  }
}

// The members of the platform's own module that this worker uses.

declare module "cloudflare:workers" {
  /** Objects whose public methods can be called from the worker. */
  export class DurableObject<Env = unknown> {
    constructor(ctx: import("./platform.js").ObjectState, env: Env);
    protected readonly ctx: import("./platform.js").ObjectState;
    protected readonly env: Env;
  }
}

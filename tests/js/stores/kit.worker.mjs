// An object that runs a check of the store in its storage.
import { DurableObject } from "cloudflare:workers";
import { durableStore } from "agentwire/runs/server";
import { storeChecks } from "agentwire/stores/testing";

export class Store extends DurableObject {
  async fetch(request) {
    const name = await request.text();
    const checks = storeChecks(() => durableStore(this.ctx.storage));
    try {
      await checks.find((check) => check.name === name).run();
      return new Response();
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  }
}

export default { fetch: (request, env) => env.STORES.getByName("store").fetch(request) };

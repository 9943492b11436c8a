// The parts of the platform's API that the worker uses. Types only.

/** Another service. */
export interface Service {
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** The platform's own models. */
export interface Models {
  run(model: string, input: { readonly audio: string }): Promise<unknown>;
}

/** A rate limit by key. */
export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

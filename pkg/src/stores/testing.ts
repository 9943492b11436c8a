// The public API of `agentwire/stores/testing`.
export {};

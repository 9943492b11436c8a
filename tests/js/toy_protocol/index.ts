// The names of the toy protocol that only `agentwire` exports: none.

export {};

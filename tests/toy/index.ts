// The names of the toy that only the whole toolkit has: none.

export {};

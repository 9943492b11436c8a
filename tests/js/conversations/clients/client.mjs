// What the clients of conversations share.

/** The most requests for one question of the user. */
export const MAX_ROUNDS = 6;

/** The error that a client shows its user. */
export class ClientError extends Error {}

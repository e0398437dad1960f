// Names the headers of a call that runs once, however often it is sent. draft-ietf-httpapi-idempotency-key-header
export const KEY_HEADER = 'Idempotency-Key';
/** Says that the call ran before, and not again. */
export const REPLAYED_HEADER = 'Idempotent-Replayed';

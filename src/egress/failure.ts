// The failure of a call to an upstream. People and agents read its message, so it contains no secret.
export type EgressReason =
  /** The address is not allowed, and nothing was sent. */
  | 'forbidden'
  | 'bad-url'
  /** There is no such name, no connection or no TLS, and nothing was sent. */
  | 'unreachable'
  /** The connection ended after the request was sent: the call may have run. */
  | 'lost'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'bad-answer';

export class EgressFailure extends Error {
  override readonly name = 'EgressFailure';
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

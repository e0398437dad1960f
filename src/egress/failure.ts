// Why a call to an upstream came to nothing. The message is for people and agents, and names no secret.
export type EgressReason =
  /** The address is not allowed: nothing was sent. */
  'forbidden' | 'bad-url' | 'unreachable' | 'timeout' | 'too-large' | 'redirect' | 'bad-answer';

export class EgressFailure extends Error {
  override readonly name = 'EgressFailure';
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

// What an attempt to send has come to.
export type Attempt =
  | { kind: 'ok'; status: number | null }
  | {
      kind: 'failed';
      status: number | null;
      error: string;
      /** Whether another delivery would fail in the same way. */
      isDestination: boolean;
      /** Nothing is ever taken there again. */
      isGone?: boolean;
      /** The same delivery would fail again. */
      isFinal?: boolean;
      /** How long the receiver asks to wait. */
      retryAfter?: number | undefined;
    };

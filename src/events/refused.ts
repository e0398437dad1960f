// Declares the refusal that says to a person what to do.
export class EventRefused extends Error {
  readonly reason: 'WRONG' | 'FULL' | 'NOT_FOUND' | 'NOT_DONE';
  constructor(reason: 'WRONG' | 'FULL' | 'NOT_FOUND' | 'NOT_DONE', message: string) {
    super(message);
    this.reason = reason;
  }
}

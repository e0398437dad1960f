// Says why a person cannot be invited or changed. The message is a sentence for whoever asked.
export type RefusalReason = 'missing' | 'not-allowed' | 'conflict';

export class PersonRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.name = 'PersonRefused';
    this.reason = reason;
  }
}

// Says why a jot was not written. Each surface turns the reason into its own kind of answer.
export type RefusalReason =
  | 'BAD_ARCHIVE'
  | 'DEPLOY_FAILED'
  | 'INVALID_PATH'
  | 'JOT_CHANGED'
  | 'JOT_NAME_TAKEN'
  | 'JOT_QUOTA'
  | 'NO_INDEX'
  | 'NOT_FOUND'
  | 'NOT_YOURS'
  | 'PASSWORD_RULE'
  | 'TOO_LARGE'
  | 'TOO_MANY_FILES'
  | 'VERSION_GONE';

export class JotRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JotRefused';
    this.reason = reason;
  }
}

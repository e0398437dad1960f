// Why a jot was not written. Thrown inside the feature, told by each surface in its own way.
export type Reason =
  | 'BAD_ARCHIVE'
  | 'DEPLOY_FAILED'
  | 'INVALID_PATH'
  | 'JOT_NAME_TAKEN'
  | 'NO_INDEX'
  | 'NOT_FOUND'
  | 'NOT_YOURS'
  | 'PASSWORD_RULE'
  | 'TOO_LARGE'
  | 'TOO_MANY_FILES';

export class Refused extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refused';
    this.reason = reason;
  }
}

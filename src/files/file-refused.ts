// Declares the error of a file that is not stored. Its message is for the caller.
export type RefusalReason = 'EMPTY' | 'FILE_TOO_LARGE' | 'FILE_QUOTA' | 'BROKEN_OFF';

export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

// Says why a source cannot be imported or asked, with the status of the answer.
import { EgressFailure } from '../../egress/failure.ts';

type Status = 400 | 413 | 422 | 502 | 503 | 504;

export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly status: Status;

  constructor(status: Status, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Turns a failure of the network into one of the source. Other errors stay as they are. */
export function toSourceFailure(error: unknown): unknown {
  return error instanceof EgressFailure
    ? new SourceFailure(statusOf(error), ofReading(error.message), { cause: error })
    : error;
}

const MAY_HAVE_RUN = /\. The call may have run$/;

/** What a failed call says, of a source that was read: reading runs nothing. */
export const ofReading = (message: string): string => message.replace(MAY_HAVE_RUN, '');

function statusOf({ reason }: EgressFailure): Status {
  switch (reason) {
    case 'forbidden':
    case 'bad-url':
      return 400;
    case 'too-large':
      return 413;
    case 'timeout':
      return 504;
    case 'unreachable':
    case 'lost':
    case 'redirect':
    case 'bad-answer':
      return 502;
  }
}

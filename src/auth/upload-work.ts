// Ends an upload when the access of its person ends. The person is known when the token of the upload is taken.
// reference: People; decision: 018
import { ACCESS_ENDED } from '../http/errors.ts';
import type { UploadBody } from '../http/upload-body.ts';
import type { RunningWork, Work } from './running-work.ts';

export interface UploadWork {
  enter: (userId: string) => Work;
  /** Whether the access has ended meanwhile. */
  isEnded(): boolean;
  end(): void;
}

export function createUploadWork(
  runningWork: Pick<RunningWork, 'begin'>,
  body: Pick<UploadBody, 'stop'>,
): UploadWork {
  let work: Work | undefined;
  return {
    enter(userId) {
      work = runningWork.begin(userId);
      work.ended.addEventListener('abort', () => body.stop(new Error(ACCESS_ENDED)));
      return work;
    },
    isEnded: () => work?.ended.aborted === true,
    end: () => work?.end(),
  };
}

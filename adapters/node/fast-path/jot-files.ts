// Answers requests for jot files that are in memory, without the framework: each of its layers costs as much as the answer.
import type { Deps } from '../../../src/deps.ts';
import { createRecordRequest, createRequestIds, readRequestId } from '../../../src/http/observe.ts';
import {
  type CachedFile,
  type CachedFileRequest,
  createCachedFileFinder,
} from '../../../src/jots/serving/cached-file.ts';

export interface JotRequest extends CachedFileRequest {
  /** The value of `X-Request-Id` as it was sent. */
  requestId: string | undefined;
}

export interface JotFiles {
  /** Resolves to false where the app has to answer; then nothing was sent. */
  give(request: JotRequest, send: (file: CachedFile, requestId: string) => void): Promise<boolean>;
}

const ROUTE = '/j/:name/*';
// The app decides about any other host, valid or not. RFC 9112 §3.2
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-5]?\d{1,4})?$/i;

export function createJotFiles(
  deps: Pick<Deps, 'clock' | 'config' | 'jots' | 'log' | 'metrics' | 'random' | 'tracer'>,
): JotFiles {
  const findCachedFile = createCachedFileFinder(deps);
  const nextId = createRequestIds(deps.random);
  const record = createRecordRequest(deps);

  return {
    async give(request, send) {
      // The app records the spans.
      if (deps.tracer !== null || !PLAIN_HOST.test(request.host)) return false;
      const started = deps.clock.millis();
      // The same failure happens again in the app, and the app reports it.
      const file = await findCachedFile(request).catch(() => null);
      if (file === null) return false;
      const requestId = readRequestId(request.requestId) ?? nextId();
      send(file, requestId);
      record({ requestId, method: 'GET', route: ROUTE, status: file.status, started });
      return true;
    },
  };
}

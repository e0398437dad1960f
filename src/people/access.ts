// Ends what a person holds, and lets the person in again. reference: People; decision: 018
import type { Endings } from '../auth/endings.ts';
import type { RunningWork } from '../auth/running-work.ts';
import { CURL_SESSION_MAX_SECONDS, SESSION_SECONDS, SESSION_TOLERANCE_SECONDS } from '../auth/limits.ts';
import type { Changed, NewEnding } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';

/** Each function may be repeated. What runs for the person in this process ends at once, elsewhere within two seconds. */
export interface Access {
  /** Ends the person's keys, tokens and sessions, and keeps the person out until `enable`. */
  disable(id: string): Promise<Changed>;
  /** Returns false when the person is gone, or is being deleted. */
  enable(id: string): Promise<boolean>;
  /** Does the same for good, and marks the person as being deleted. */
  beginDeletion(id: string): Promise<Changed>;
  /** Ends the person's keys, tokens and sessions. The person may sign in again. */
  signOut(id: string): Promise<Changed>;
}

export type AccessNeeds = Pick<Ports, 'clock' | 'config' | 'digest' | 'store'> & {
  endings: Pick<Endings, 'forget'>;
  runningWork: Pick<RunningWork, 'stop'>;
};

export function createAccess({ clock, config, digest, endings, runningWork, store }: AccessNeeds): Access {
  const longestLife = Math.max(
    SESSION_SECONDS + SESSION_TOLERANCE_SECONDS,
    config.OAUTH_ACCESS_TOKEN_TTL_SECONDS,
    CURL_SESSION_MAX_SECONDS,
  );

  function endingOf(id: string): NewEnding {
    const before = clock.now();
    return { person: digest.sha256(id), before, expires_at: before + longestLife };
  }

  async function end(id: string, write: (ending: NewEnding) => Promise<Changed>): Promise<Changed> {
    const ending = endingOf(id);
    try {
      const changed = await write(ending);
      if (changed === 'done') runningWork.stop(id, ending);
      return changed;
    } finally {
      // This process reads the list again also when a failed write may have been stored.
      endings.forget();
    }
  }

  return {
    disable: (id) => end(id, (ending) => store.people.disable(id, ending)),
    enable: (id) => store.people.enable(id),
    beginDeletion: (id) => end(id, (ending) => store.people.beginDeletion(id, ending)),
    signOut: (id) => end(id, (ending) => store.people.signOut(id, ending)),
  };
}

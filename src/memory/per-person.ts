// Counts the calls of each person, so that one person leaves room for the others. reference: Limits per person; decision: 019
import type { Config } from '../config/config.ts';
import type { Clock } from '../ports/clock.ts';
import type { SharedCounts } from '../ports/shared-counts.ts';

export interface TooManyCalls {
  message: string;
  retryAfterSeconds: number;
}

export interface CallCounts {
  /**
   * Undefined lets the call begin; `end` must follow. Otherwise the call is refused and `end` must not follow. `tenant` is the
   * service key that calls for one of its actors.
   */
  begin(userId: string, tenant?: string | null): TooManyCalls | undefined;
  end(userId: string, tenant?: string | null): void;
  /** Counts a call of one key or client of a person against its own limit. Undefined lets it begin. */
  countFor(actor: string, perMinute: number): TooManyCalls | undefined;
  /** `underWay` are the calls of this process. `thisMinute` counts only where calls a minute are limited. */
  used(userId: string): { underWay: number; thisMinute: number };
}

type Limits = Pick<Config, 'PERSON_MAX_CALLS' | 'PERSON_CALLS_PER_MINUTE'> &
  Partial<Pick<Config, 'SERVICE_KEY_MAX_CALLS'>>;

interface Needs {
  config: Limits;
  clock: Clock;
  /** Absent where this process counts alone. */
  sharedCounts?: SharedCounts | undefined;
}

const MINUTE = 60;
const LIST = 'calls this minute';

/** The row of a service key is a person too. */
const placeOf = (tenant: string): string => `actors of ${tenant}`;

/** A call costs a look-up and a number: this runs for every call. */
export function createCallCounts({ config, clock, sharedCounts }: Needs): CallCounts {
  const { PERSON_MAX_CALLS: most, PERSON_CALLS_PER_MINUTE: perMinute } = config;
  const { SERVICE_KEY_MAX_CALLS: mostOfTenant = Infinity } = config;
  const underWay = new Map<string, number>();
  /** The calls that began in `minute`, by person and by actor. All counts start again with the next one. */
  const begun = new Map<string, number>();
  let minute = 0;
  sharedCounts?.hear(LIST, (key, change) => {
    forgetPastMinute(clock.now());
    begun.set(key, (begun.get(key) ?? 0) + change);
  });

  function forgetPastMinute(now: number): void {
    const current = Math.floor(now / MINUTE);
    if (current === minute) return;
    minute = current;
    begun.clear();
  }

  function countMinute(key: string, allowed: number): TooManyCalls | undefined {
    const now = clock.now();
    forgetPastMinute(now);
    const count = begun.get(key) ?? 0;
    if (count >= allowed)
      return {
        message: `You may begin ${allowed} calls a minute. Try again when the minute is over`,
        retryAfterSeconds: MINUTE - (now % MINUTE),
      };
    begun.set(key, count + 1);
    sharedCounts?.tell(LIST, key, 1);
    return undefined;
  }

  function leave(key: string): void {
    const count = underWay.get(key) ?? 0;
    if (count > 1) underWay.set(key, count - 1);
    else underWay.delete(key);
  }

  return {
    countFor: countMinute,
    begin(userId, tenant = null) {
      if (tenant !== null && (underWay.get(placeOf(tenant)) ?? 0) >= mostOfTenant)
        return {
          message: `${mostOfTenant} calls for the actors of this service key are running already. Try again when some of them have ended`,
          retryAfterSeconds: 1,
        };
      const count = underWay.get(userId) ?? 0;
      if (count >= most)
        return {
          message: `${most} of your calls are running already. Try again when some of them have ended`,
          retryAfterSeconds: 1,
        };
      const over = perMinute === undefined ? undefined : countMinute(userId, perMinute);
      if (over !== undefined) return over;
      underWay.set(userId, count + 1);
      if (tenant !== null) underWay.set(placeOf(tenant), (underWay.get(placeOf(tenant)) ?? 0) + 1);
      return undefined;
    },
    end(userId, tenant = null) {
      leave(userId);
      if (tenant !== null) leave(placeOf(tenant));
    },
    used(userId) {
      forgetPastMinute(clock.now());
      return { underWay: underWay.get(userId) ?? 0, thisMinute: begun.get(userId) ?? 0 };
    },
  };
}

// What an upstream has answered: its payload, or why it said no, in its own words and with when to try again.
import { parseUpstreamJson } from '../egress/json.ts';

const LONGEST = 1_500;
const LONGEST_PAGE = 4_000;
const NO_REASON = 'the upstream gave no reason';

/** An upstream said no. The message is its own; `payload` is what it sent, `retryAfter` as in the header of that name, or empty. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly status: number;
  readonly payload: unknown;
  readonly retryAfter: string;

  constructor(status: number, payload: unknown, retryAfter = '') {
    super(`${status}: ${explain(payload)}${whenAgain(retryAfter)}`);
    this.status = status;
    this.payload = payload;
    this.retryAfter = retryAfter;
  }
}

/** JSON as a value, other text as text, nothing as `{}`; an error status throws. */
export async function readPayload(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '');
  const payload = text === '' ? {} : isJson ? parseUpstreamJson(text, 'the service') : text;
  if (!response.ok) throw new UpstreamError(response.status, payload, retryAfterOf(response));
  return payload;
}

/** The end of a log, where what went wrong usually stands. */
export function tail(payload: unknown, lines: number): { log: string; truncated: boolean } {
  const text = typeof payload === 'string' ? payload : '';
  const all = text.replace(/\n$/, '').split('\n');
  return lines < all.length
    ? { log: all.slice(all.length - Math.max(lines, 0)).join('\n'), truncated: true }
    : { log: text, truncated: false };
}

/** The upstream's own words, wherever it keeps them. */
function explain(payload: unknown): string {
  if (typeof payload === 'string')
    return wordsOf(payload.slice(0, LONGEST * 10)).slice(0, LONGEST) || NO_REASON;
  if (typeof payload !== 'object' || payload === null || Object.keys(payload).length === 0) return NO_REASON;
  const words = [
    'message',
    'error',
    'err',
    'detail',
    'error_description',
    'error_message',
    'errors',
    'errorMessages',
    'needed',
    'response_metadata',
  ].flatMap((key) => {
    const value: unknown = Reflect.get(payload, key);
    if (typeof value === 'string') return value === '' ? [] : [value];
    // `"error": true` says no more than the status, and an empty list nothing.
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [];
    return [JSON.stringify(value)];
  });
  // PostHog names the field beside the words about it.
  const field: unknown = Reflect.get(payload, 'attr');
  const said = words.length > 0 ? words.join(' ') : JSON.stringify(payload);
  return (typeof field === 'string' && field !== '' ? `${field}: ${said}` : said).slice(0, LONGEST);
}

// GitHub and Datadog, PagerDuty, Sentry.
const LIMITS = ['x-ratelimit', 'ratelimit', 'x-sentry-rate-limit'];

/** Of a limit that is used up GitHub and Sentry say when it begins anew in Unix seconds, the others in how many from now. */
function retryAfterOf({ status, headers }: Response): string {
  const mayBeLimited = status === 403 || status === 429;
  const usedUp = LIMITS.find((limit) => mayBeLimited && headers.get(`${limit}-remaining`) === '0');
  const reset = usedUp === undefined ? '' : (headers.get(`${usedUp}-reset`) ?? '');
  const isMoment = /^\d{10}$/.test(reset);
  return headers.get('retry-after') ?? (isMoment ? new Date(Number(reset) * 1000).toUTCString() : reset);
}

/** RFC 9110 §10.2.3: seconds or a date. */
function whenAgain(retryAfter: string): string {
  if (/^\d{1,9}$/.test(retryAfter)) return ` (try again in ${retryAfter} seconds)`;
  return /^[A-Z][a-z]{2}, [\w :]{20,25}$/.test(retryAfter) ? ` (try again after ${retryAfter})` : '';
}

/** What a proxy's error page says, without its markup. */
function wordsOf(text: string): string {
  if (!/^\s*<(!doctype|html|head|body)\b/i.test(text)) return text.trim();
  return text
    .slice(0, LONGEST_PAGE)
    .replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->|<[^<>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

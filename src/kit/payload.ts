// Reads the payload of an upstream's answer, or explains its refusal in its own words and says when to retry.
import { parseUpstreamJson } from '../egress/json.ts';

const MAX_REASON_LENGTH = 1_500;
const MAX_PAGE_LENGTH = 4_000;
const NO_REASON = 'the upstream gave no reason';

/** An upstream's refusal. `message` is its own text, `payload` is what it sent, `retryAfter` is that header or empty. */
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

/** Reads JSON as a value, other text as text and an empty body as `{}`. Throws for an error status. */
export async function readPayload(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '');
  const payload = text === '' ? {} : isJson ? parseUpstreamJson(text, 'the service') : text;
  if (!response.ok) throw new UpstreamError(response.status, payload, retryAfterOf(response, text));
  return payload;
}

/** Returns the end of a log, because the error is usually there. */
export function tail(payload: unknown, lines: number): { log: string; truncated: boolean } {
  const text = typeof payload === 'string' ? payload : '';
  const all = text.replace(/\n$/, '').split('\n');
  return lines < all.length
    ? { log: all.slice(all.length - Math.max(lines, 0)).join('\n'), truncated: true }
    : { log: text, truncated: false };
}

/** Finds the upstream's own words in its payload. */
function explain(payload: unknown): string {
  if (typeof payload === 'string')
    return wordsOf(payload.slice(0, MAX_REASON_LENGTH * 10)).slice(0, MAX_REASON_LENGTH) || NO_REASON;
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
    // `"error": true` says no more than the status, and an empty list says nothing.
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [];
    return [JSON.stringify(value)];
  });
  // PostHog names the field in `attr`, separate from the message.
  const field: unknown = Reflect.get(payload, 'attr');
  const said = words.length > 0 ? words.join(' ') : JSON.stringify(payload);
  return (typeof field === 'string' && field !== '' ? `${field}: ${said}` : said).slice(0, MAX_REASON_LENGTH);
}

// GitHub and Datadog use the first, PagerDuty the second, Sentry the third.
const LIMITS = ['x-ratelimit', 'ratelimit', 'x-sentry-rate-limit'];

/** GitHub and Sentry send the reset of a used-up limit in Unix seconds, the others in seconds from now. */
function retryAfterOf({ status, headers }: Response, text: string): string {
  const mayBeLimited = status === 403 || status === 429;
  const usedUp = LIMITS.find((limit) => mayBeLimited && headers.get(`${limit}-remaining`) === '0');
  const reset = usedUp === undefined ? '' : (headers.get(`${usedUp}-reset`) ?? '');
  const isMoment = /^\d{10}$/.test(reset);
  const named =
    headers.get('retry-after') ?? (isMoment ? new Date(Number(reset) * 1000).toUTCString() : reset);
  // GitHub asks to wait a minute where a secondary limit names no time.
  const isUnnamed =
    named === '' && mayBeLimited && /secondary rate limit/i.test(text.slice(0, MAX_PAGE_LENGTH));
  return isUnnamed ? '60' : named;
}

/** Formats seconds or a date. RFC 9110 §10.2.3 */
function whenAgain(retryAfter: string): string {
  if (/^\d{1,9}$/.test(retryAfter)) return ` (try again in ${retryAfter} seconds)`;
  return /^[A-Z][a-z]{2}, [\w :]{20,25}$/.test(retryAfter) ? ` (try again after ${retryAfter})` : '';
}

/** Reads the text of a proxy's error page, without its markup. */
function wordsOf(text: string): string {
  if (!/^\s*<(!doctype|html|head|body)\b/i.test(text)) return text.trim();
  return text
    .slice(0, MAX_PAGE_LENGTH)
    .replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->|<[^<>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

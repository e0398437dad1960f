// Reads and writes the context of a trace: `traceparent` and `tracestate`. W3C Trace Context §3
import type { TraceContext } from '../ports/telemetry.ts';

const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** A later version may add fields behind those that are known. §3.2.3 */
const LATER_VERSION = /^(?!ff|00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const ZERO = /^0+$/;
const MAX_LENGTH = 512;
const MAX_MEMBERS = 32;
const KEY = /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/;
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Returns undefined for a value of another shape: its sender gets no error. §4.3 */
export function parseTraceContext(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  const [, traceId = '', spanId = '', flags = ''] =
    VERSION_00.exec(traceparent) ?? LATER_VERSION.exec(traceparent) ?? [];
  if (traceId === '' || ZERO.test(traceId) || ZERO.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, state: parseState(tracestate) };
}

/** A state that is wrong is dropped, and the trace goes on. §3.3 */
function parseState(tracestate: unknown): string | undefined {
  if (typeof tracestate !== 'string' || tracestate.length > MAX_LENGTH) return undefined;
  const members = tracestate
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const keys = members.map((member) => member.slice(0, Math.max(0, member.indexOf('='))));
  const isWhole = members.every((member, at) => {
    const key = keys[at] ?? '';
    return KEY.test(key) && VALUE.test(member.slice(key.length + 1));
  });
  const isSound = isWhole && members.length <= MAX_MEMBERS && new Set(keys).size === keys.length;
  return isSound && members.length > 0 ? members.join(',') : undefined;
}

/** The context as headers, and as members of `_meta`. SEP-414 */
export function traceFields({ traceId, spanId, isSampled, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

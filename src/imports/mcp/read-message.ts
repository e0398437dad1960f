// Reads the JSON-RPC messages of servers that write them in a form of their own. JSON-RPC 2.0 §4, §5
import { isObject } from '../../json/json.ts';

export interface ReadMessage {
  value: unknown;
  /** Whether the server wrote something that JSON-RPC does not allow. */
  isOdd: boolean;
}

const INTERNAL_ERROR = -32_603;

/** The library refuses a message with a member too many, such as `error: null` beside a result. */
export function readMessage(value: unknown): ReadMessage {
  if (Array.isArray(value)) {
    const read = value.map(readMessage);
    return { value: read.map((each) => each.value), isOdd: read.some(({ isOdd }) => isOdd) };
  }
  if (!isObject(value) || isRegular(value)) return { value, isOdd: false };
  const { id, method, params, result, error } = value;
  const about = { jsonrpc: '2.0', ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}) };
  if (typeof method === 'string')
    return { value: { ...about, method, ...(isObject(params) ? { params } : {}) }, isOdd: true };
  if (error !== undefined && error !== null)
    return { value: { ...about, error: readError(error) }, isOdd: true };
  // Without a result it is no message, and the library says so.
  return result === undefined ? { value, isOdd: false } : { value: { ...about, result }, isOdd: true };
}

function isRegular({
  jsonrpc,
  id,
  method,
  params,
  result,
  error,
  ...others
}: Record<string, unknown>): boolean {
  const parts = [method, result, error].filter((part) => part !== undefined);
  return (
    jsonrpc === '2.0' &&
    id !== null &&
    parts.length === 1 &&
    (params === undefined || (method !== undefined && isObject(params))) &&
    (error === undefined || isRegularError(error)) &&
    Object.keys(others).length === 0
  );
}

const isRegularError = (error: unknown): boolean =>
  isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';

function readError(error: unknown): { code: number; message: string; data?: unknown } {
  if (!isObject(error)) return { code: INTERNAL_ERROR, message: typeof error === 'string' ? error : '' };
  const { code, message, data } = error;
  return {
    code: Number.isInteger(Number(code)) ? Number(code) : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : '',
    ...(data === undefined ? {} : { data }),
  };
}

// Decodes JSON-RPC 2.0 messages and encodes their answers.
import { truncate } from '../json/truncate.ts';
import { ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { writeJson } from '../json/exact-integers.ts';
import { isObject } from '../json/json.ts';

/** A client may count beyond what a number holds, and expects the same digits back. */
export type RequestId = string | number | bigint;

export interface Request {
  id: RequestId;
  method: string;
  params: Record<string, unknown>;
}

export interface RpcError {
  code: JsonRpcCode;
  message: string;
  data?: unknown;
}

/** `silent` covers every message that expects no answer: notifications, and answers from the client. */
export type Decoded =
  | { kind: 'request'; request: Request }
  | { kind: 'silent' }
  | { kind: 'error'; id: RequestId | null; error: RpcError };

// Decodes one message; batches are refused. decision: 031
export function decode(message: unknown): Decoded {
  if (!isObject(message)) return invalid('a JSON-RPC request must be one JSON object');
  if (message['jsonrpc'] !== '2.0') return invalid('jsonrpc must be "2.0"');
  const { id, method, params = {} } = message;
  const isAnswer = method === undefined && ('result' in message || 'error' in message);
  if (isAnswer) return { kind: 'silent' };
  if (typeof method !== 'string') return invalid('method must be a string');
  if (id === undefined) return { kind: 'silent' };
  if (!isId(id)) return invalid('id must be a string or a number');
  if (!isObject(params))
    return {
      kind: 'error',
      id,
      error: {
        code: JsonRpcCode.INVALID_PARAMS,
        message: `${ErrorText.INVALID_ARGUMENTS}: params must be an object`,
      },
    };
  return { kind: 'request', request: { id, method, params } };
}

/** A message that is not a request is answered without its id. */
function invalid(reason: string): Decoded {
  return {
    kind: 'error',
    id: null,
    error: { code: JsonRpcCode.INVALID_REQUEST, message: `Invalid Request: ${reason}` },
  };
}

/** Reads the id of any message, for an answer that is given before the message is decoded. */
export function idOf(message: unknown): RequestId | null {
  const id = isObject(message) ? message['id'] : null;
  return isId(id) ? id : null;
}

const isId = (id: unknown): id is RequestId => ['string', 'number', 'bigint'].includes(typeof id);

export function resultText(id: RequestId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${writeJson(id)},"result":${resultJson}}`;
}

const encoder = new TextEncoder();

/** Encodes a result that never changes, at its first use. Only the id differs between answers. */
export function fixedResult(
  result: () => Record<string, unknown>,
): (id: RequestId) => Uint8Array<ArrayBuffer> {
  let tail: Uint8Array | undefined;
  return (id) => {
    tail ??= encoder.encode(`,"result":${JSON.stringify(result())}}`);
    const head = encoder.encode(`{"jsonrpc":"2.0","id":${writeJson(id)}`);
    const answer = new Uint8Array(head.length + tail.length);
    answer.set(head);
    answer.set(tail, head.length);
    return answer;
  };
}

export function errorText(id: RequestId | null, error: RpcError): string {
  return writeJson({ jsonrpc: '2.0', id, error: { ...error, message: truncate(error.message) } });
}

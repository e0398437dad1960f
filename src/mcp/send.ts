// Sends JSON-RPC answers over HTTP.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { JsonRpcCode } from '../http/error-codes.ts';
import { errorText, type Request, type RequestId, resultText, type RpcError } from './json-rpc.ts';
import type { Reply } from './methods.ts';
import type { McpEnv } from './traced-request.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

export function send(
  c: Context<McpEnv>,
  { id }: Request,
  reply: Reply,
  statusOf: (code: JsonRpcCode) => ContentfulStatusCode,
): Response {
  if ('error' in reply) return refuse(c, statusOf(reply.error.code), id, reply.error);
  const body = 'answer' in reply ? reply.answer(id) : resultText(id, JSON.stringify(reply.result));
  return c.body(body, 200, JSON_TYPE);
}

/** Answers a mistake that the model reads. */
export function tell(c: Context<McpEnv>, id: RequestId, result: Record<string, unknown>): Response {
  const notes = c.get('notes');
  if (notes !== undefined) notes.error = 'tool_error';
  return c.body(resultText(id, JSON.stringify(result)), 200, JSON_TYPE);
}

export function refuse(
  c: Context<McpEnv>,
  status: ContentfulStatusCode,
  id: RequestId | null,
  error: RpcError,
): Response {
  const notes = c.get('notes');
  if (notes !== undefined) notes.error = String(error.code);
  return c.body(errorText(id, error), status, JSON_TYPE);
}

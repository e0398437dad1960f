// Gives a refusal that an API answers with status 200 the status it should have, so that callers see an error. RFC 9110 §15.5
import { parseUpstreamJson } from '../../egress/json.ts';
import { resolvePointer } from '../../json/pointer.ts';
import type { Refusal } from '../../kit/manifest.ts';

export async function applyRefusal(response: Response, refusal: Refusal): Promise<Response> {
  const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '');
  if (response.status !== 200 || !isJson) return response;
  const text = await response.text();
  const payload = text === '' ? null : parseUpstreamJson(text, 'the service');
  return new Response(text, { status: statusOf(payload, refusal), headers: response.headers });
}

function statusOf(payload: unknown, { at, is, code, unauthorized }: Refusal): number {
  if (resolvePointer(payload, at)?.value !== is) return 200;
  const said = resolvePointer(payload, code)?.value;
  return typeof said === 'string' && unauthorized.includes(said) ? 401 : 400;
}

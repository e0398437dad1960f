// Calls MediaWiki's Action API, which reports refusals with status 200, and takes writes as a form with the
// session's token.
import * as z from 'zod';
import { encodeForm } from '../../src/kit/binary.ts';
import type { Upstream } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { send } = createRows({ names: 'snake_case', read: readAction });

const ActionRefusal = z.lazy(() => z.object({ error: z.object({ code: z.string(), info: z.string() }) }));
const Token = z.lazy(() => z.object({ query: z.object({ tokens: z.object({ csrftoken: z.string() }) }) }));
const ActionOutcome = z.lazy(() => z.looseObject({ result: z.string() }).optional());
const Done = z.lazy(() => z.looseObject({ edit: ActionOutcome, upload: ActionOutcome }));
const FORMAT = { format: 'json', formatversion: '2' };
// Without `assert` an edit after the session's end would be anonymous, under the gateway's address.
const SIGNED_IN = { assert: 'user' };

export function readAction(payload: unknown): unknown {
  const refused = ActionRefusal.safeParse(payload).data?.error;
  if (refused !== undefined) throw new Error(`${refused.code}: ${refused.info}`);
  return readJson(payload);
}

/** Where a wiki requires a sign-in, its sign-in page arrives when the session has ended. */
export function readJson(payload: unknown): unknown {
  if (typeof payload === 'string')
    throw new Error(
      'MediaWiki answered with a page instead of data: the session may have ended, or the address is not that of api.php. Reconnect MediaWiki.',
    );
  return payload;
}

/** Sends a form, as multipart when it contains a file. */
export async function act(
  upstream: Upstream,
  action: 'edit' | 'upload',
  fields: Record<string, string | undefined>,
  file?: File,
): Promise<unknown> {
  const token = await csrfToken(upstream);
  const given = Object.entries({ action, ...FORMAT, ...SIGNED_IN, ...fields, token });
  const form = file === undefined ? new URLSearchParams() : new FormData();
  for (const [name, value] of given) if (value !== undefined) form.set(name, value);
  if (form instanceof FormData && file !== undefined) form.set('file', file);
  const answer = await upstream({ method: 'POST', path: '/api.php', ...(await encodeForm(form)) });
  return done(readAction(await readPayload(answer)), action);
}

async function csrfToken(upstream: Upstream): Promise<string> {
  const args = { action: 'query', meta: 'tokens', ...FORMAT, ...SIGNED_IN };
  const { query } = Token.parse(await send(upstream, 'GET /api.php', args));
  return query.tokens.csrftoken;
}

/** The API does not report a captcha, a filter or an existing file as an error. */
function done(payload: unknown, action: 'edit' | 'upload'): unknown {
  const outcome = Done.parse(payload)[action];
  if (outcome?.result === 'Success') return outcome;
  throw new Error(`MediaWiki did not ${action}: ${JSON.stringify(outcome)}`);
}

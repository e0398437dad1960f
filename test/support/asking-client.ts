// Sends calls of the modern era that end as input_required, as a client that opens URLs for the person.
import type { ManualClock } from './manual-clock.ts';
import { type Answer, modernHeaders, modernMeta, rpc } from './mcp.ts';
import type { Headers, PolicyStand } from './policy-stand.ts';
import { waitUntil } from './wait.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const POST = [{ tool: 'ledger_post', args: { amount: 5 } }];
/** Says that the person has looked, at whatever. */
export const ACCEPT = { any: { action: 'accept' } };
export const DONE = { results: [{ result: { done: 'ledger_post' } }] };
/** A wait for the person ends after this. */
export const ROUND_MS = 45_000;

export interface Sent {
  headers?: Headers;
  name?: string;
  args?: object;
  capabilities?: object;
  inputResponses?: unknown;
  requestState?: unknown;
}

export function paramsOf({ headers: _, name = 'execute_tools', args, capabilities, ...members }: Sent) {
  const declared = capabilities ?? { elicitation: { url: {} } };
  const _meta = { ...modernMeta, [CAPABILITIES]: declared };
  return { _meta, name, arguments: args ?? { executions: POST }, ...members };
}

/** Parses the text that the model reads. */
export function valueOf({ body }: Answer) {
  const content = body.result?.['content'];
  if (!Array.isArray(content)) throw new Error(`no content: ${JSON.stringify(body)}`);
  return JSON.parse(content[0].text);
}

export function requestsIn({ body }: Answer): Record<string, unknown> {
  if (body.result?.['resultType'] !== 'input_required') throw new Error(`not asked: ${JSON.stringify(body)}`);
  return { ...Object(body.result['inputRequests']) };
}

export const waitForSleep = (clock: ManualClock) =>
  waitUntil(
    'the wait',
    () => clock.asleep() > 0,
    () => clock.asleep(),
  );

/** Without a clock the client cannot wait. */
export function createAskingClient(stand: Pick<PolicyStand, 'app' | 'key'>, clock?: ManualClock) {
  const send = (sent: Sent = {}): Promise<Answer> => {
    const headers = { ...(sent.headers ?? stand.key), ...headersOf(sent) };
    return rpc(stand.app, headers, 'tools/call', paramsOf(sent));
  };
  return {
    send,
    /** Sends a call that waits for the person, and lets the whole wait pass. */
    async sendAndWait(sent: Sent): Promise<Answer> {
      if (clock === undefined) throw new Error('this client has no clock');
      const answer = send(sent);
      await waitForSleep(clock);
      await clock.pass(ROUND_MS);
      return answer;
    },
    /** Sends a call that must be asked about. */
    async ask(sent: Sent = {}) {
      const answer = await send(sent);
      const requests = requestsIn(answer);
      const [id = ''] = Object.keys(requests);
      return { state: String(answer.body.result?.['requestState']), id, requests };
    },
  };
}

export const headersOf = ({ name = 'execute_tools' }: Sent) => modernHeaders('tools/call', name);

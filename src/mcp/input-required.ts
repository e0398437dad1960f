// Asks the person through a client that can open a URL: a call that needs an approval ends as `input_required`, and the
// client repeats it after the person has looked. The client never decides. MCP 2026-07-28, Multi Round-Trip Requests
import { base64url } from 'jose';
import { timingSafeEqual } from 'hono/utils/buffer';
import * as z from 'zod';
import { APPROVAL_ROUND_MS, APPROVAL_ROUNDS } from './meta-tools/limits.ts';
import { ErrorCode, ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { isObject, parseJson } from '../json/json.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { WaitForDecisions } from '../policy/model/wait.ts';
import type { Ports } from '../ports/ports.ts';
import type { RpcError } from './json-rpc.ts';

const NotRun = z.object({
  // After these nothing has run, so repeating the call repeats nothing.
  error: z.enum([ErrorCode.APPROVAL_REQUIRED, ErrorCode.BLOCKED, ErrorCode.DENIED]),
  integration: z.string(),
  message: z.string(),
  /** Set for an item that waits for a person. */
  approval: z.object({ id: z.string(), url: z.string(), expiresAt: z.number() }).optional(),
});
/** An item of a batch of which nothing has run. */
type NotRun = z.infer<typeof NotRun>;
type Link = NonNullable<NotRun['approval']>;

const State = z.object({
  person: z.string(),
  caller: z.string(),
  round: z.int(),
  /** The results of the whole batch, in its order. */
  results: z.array(NotRun).min(1),
});
type State = z.infer<typeof State>;

const Responses = z.record(z.string(), z.looseObject({ action: z.enum(['accept', 'decline', 'cancel']) }));

export interface Round {
  /** Whether the client can show a URL to the person. */
  canAsk: boolean;
  /** Set when the client repeats a call after a question. */
  retry: State | null;
  /** The person has refused to look at a question. */
  isDeclined: boolean;
}

export interface InputRequired {
  /** `mayAsk`: a call of the tool can need an approval. */
  read(
    caller: KnownCaller,
    params: Record<string, unknown>,
    mayAsk: boolean,
  ): Promise<Round | { error: RpcError }>;
  /**
   * Returns the result that asks about what the call returned. Null when nothing waits for a person, and when the client cannot open
   * addresses or was asked often enough.
   */
  ask(caller: KnownCaller, round: Round, value: unknown): Record<string, unknown> | null;
  /** Waits a while for the decisions about what the client repeats. */
  wait(caller: KnownCaller, round: Round, signal?: AbortSignal): Promise<void>;
}

type Needs = Pick<Ports, 'config' | 'digest'> & { waitForDecisions: WaitForDecisions };

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

export function createInputRequired({ config, digest, waitForDecisions }: Needs): InputRequired {
  // The label keeps this signature from passing as another of the same secret.
  const sign = (payload: string) => digest.hmac(config.SESSION_SECRET, `input-required:${payload}`);

  async function openState(caller: KnownCaller, text: unknown): Promise<State | null> {
    if (typeof text !== 'string') return null;
    const [payload = '', signature = ''] = text.split('.');
    if (!(await timingSafeEqual(signature, sign(payload)))) return null;
    const state = State.safeParse(parseJson(new TextDecoder().decode(base64url.decode(payload)))).data;
    return state?.person === caller.userId && state.caller === caller.actor.id ? state : null;
  }

  return {
    async read(caller, { _meta: meta, inputResponses, requestState }, mayAsk) {
      if (!mayAsk) return { canAsk: false, retry: null, isDeclined: false };
      const canAsk = canOpenUrls(meta);
      if (inputResponses === undefined && requestState === undefined)
        return { canAsk, retry: null, isDeclined: false };
      const retry = await openState(caller, requestState);
      const responses = Responses.safeParse(inputResponses ?? {});
      if (retry === null || !responses.success) return { error: INVALID };
      const answers = Object.values(responses.data);
      return { canAsk, retry, isDeclined: answers.some(({ action }) => action !== 'accept') };
    },

    ask({ userId, actor }, { canAsk, retry }, value) {
      const round = (retry?.round ?? 0) + 1;
      if (!canAsk || round > APPROVAL_ROUNDS) return null;
      const results = askedIn(value);
      if (results.length === 0) return null;
      const state: State = { person: userId, caller: actor.id, round, results };
      const payload = base64url.encode(JSON.stringify(state));
      const requests = results.flatMap(({ message, approval }) =>
        approval === undefined ? [] : [[approval.id, requestOf(message, approval)]],
      );
      return {
        resultType: 'input_required',
        inputRequests: Object.fromEntries(requests),
        requestState: `${payload}.${sign(payload)}`,
      };
    },

    async wait({ userId }, { retry }, signal) {
      const ids = retry?.results.flatMap(({ approval }) => approval?.id ?? []) ?? [];
      await waitForDecisions(userId, ids, APPROVAL_ROUND_MS, signal);
    },
  };
}

const requestOf = (message: string, { id, url }: Link) => ({
  method: 'elicitation/create',
  params: { mode: 'url', message, url, elicitationId: id },
});

const INVALID: RpcError = {
  code: JsonRpcCode.INVALID_PARAMS,
  message: `${ErrorText.INVALID_ARGUMENTS}: requestState and inputResponses must be those of an input_required result of this caller`,
};

function canOpenUrls(meta: unknown): boolean {
  const capabilities = isObject(meta) ? meta[CAPABILITIES] : undefined;
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isObject(elicitation) && isObject(elicitation['url']);
}

/** The results of a batch, if no call ran and at least one waits for an approval. Otherwise none. */
function askedIn(value: unknown): NotRun[] {
  const results = isObject(value) ? value['results'] : undefined;
  // A schema that fails costs more than most calls do.
  if (!Array.isArray(results) || !results.some(waits)) return [];
  return NotRuns.safeParse(results).data ?? [];
}

const waits = (item: unknown) => isObject(item) && item['approval'] !== undefined;

const NotRuns = z.array(NotRun);

/** The result when the person declined to look. The approval stays open. */
export const declinedValue = ({ retry }: Round) => ({ results: retry?.results ?? [] });

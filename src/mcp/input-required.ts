// Asks the person through a client that can open an address or show a form: a call that needs an approval or a sign-in
// ends as `input_required`, and the client repeats it after the person has looked. The client never decides.
// MCP 2026-07-28, Multi Round-Trip Requests; decision: 052
import { base64url } from 'jose';
import { timingSafeEqual } from 'hono/utils/buffer';
import * as z from 'zod';
import { APPROVAL_ROUND_MS, APPROVAL_ROUNDS } from './meta-tools/limits.ts';
import { ErrorCode, ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { isObject, parseJson } from '../json/json.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { WaitForDecisions } from '../policy/model/wait.ts';
import type { Ports } from '../ports/ports.ts';
import { isDeclined, type Mode, modeOf, type Question, requestOf, Responses } from './elicitation.ts';
import type { RpcError } from './json-rpc.ts';
import { CONNECT_TOOLS } from './meta-tools/connect.ts';

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

/** What `connect` has begun. */
const Begun = z.object({
  /** Set where the person enters a secret. */
  error: z.string().optional(),
  connectionId: z.string(),
  type: z.string(),
  url: z.string(),
});

const OfOne = { person: z.string(), caller: z.string() };

const ApprovalState = z.object({
  ...OfOne,
  round: z.int(),
  /** The results of the whole batch, in its order. */
  results: z.array(NotRun).min(1),
});
type ApprovalState = z.infer<typeof ApprovalState>;

const SignInState = z.object({ ...OfOne, begun: Begun });
type SignInState = z.infer<typeof SignInState>;

export interface Round {
  /** How the client can be asked. Null when it cannot be, or when the tool has nothing to ask. */
  mode: Mode | null;
  /** Set when the client repeats a call after a question about approvals. */
  retry: ApprovalState | null;
  /** The value that ends the dialog. Null while the call has to run. */
  answer: Record<string, unknown> | null;
  /** What `connect` was asked to connect. */
  integration?: string;
}

export interface InputRequired {
  /** `mayAsk`: a call of the tool can need an approval. */
  read(
    caller: KnownCaller,
    params: Record<string, unknown>,
    mayAsk: boolean,
  ): Promise<Round | { error: RpcError }>;
  /**
   * Returns the result that asks about what the call returned. Null when nothing waits for a person, and when the client cannot show
   * the question or was asked often enough.
   */
  ask(caller: KnownCaller, round: Round, value: unknown): Record<string, unknown> | null;
  /** Waits a while for the decisions about what the client repeats. */
  wait(caller: KnownCaller, round: Round, signal?: AbortSignal): Promise<void>;
}

type Needs = Pick<Ports, 'config' | 'digest'> & { waitForDecisions: WaitForDecisions };

export function createInputRequired({ config, digest, waitForDecisions }: Needs): InputRequired {
  // The label keeps this signature from passing as another of the same secret.
  const sign = (payload: string) => digest.hmac(config.SESSION_SECRET, `input-required:${payload}`);

  async function openState<S extends z.ZodType<{ person: string; caller: string }>>(
    schema: S,
    caller: KnownCaller,
    text: unknown,
  ): Promise<z.output<S> | null> {
    if (typeof text !== 'string') return null;
    const [payload = '', signature = ''] = text.split('.');
    if (!(await timingSafeEqual(signature, sign(payload)))) return null;
    const state = schema.safeParse(parseJson(new TextDecoder().decode(base64url.decode(payload)))).data;
    return state?.person === caller.userId && state.caller === caller.actor.id ? state : null;
  }

  function demand(mode: Mode, questions: readonly Question[], state: ApprovalState | SignInState) {
    const payload = base64url.encode(JSON.stringify(state));
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(questions.map((each) => [each.id, requestOf(mode, each)])),
      requestState: `${payload}.${sign(payload)}`,
    };
  }

  return {
    async read(caller, params, mayAsk) {
      const { name, arguments: args, inputResponses, requestState } = params;
      const connects = typeof name === 'string' && CONNECT_TOOLS.includes(name);
      if (!connects && !mayAsk) return { mode: null, retry: null, answer: null };
      const integration = connects && isObject(args) ? String(args['integration']) : '';
      const round = { mode: modeOf(params), retry: null, answer: null, integration };
      if (inputResponses === undefined && requestState === undefined) return round;
      const state = await openState(connects ? SignInState : ApprovalState, caller, requestState);
      const responses = Responses.safeParse(inputResponses ?? {});
      if (state === null || !responses.success) return { error: INVALID };
      // Whatever the person says, the sign-in has begun. Only wait_for_connection tells whether it has ended.
      if ('begun' in state) return { ...round, answer: state.begun };
      return {
        ...round,
        retry: state,
        answer: isDeclined(responses.data) ? { results: state.results } : null,
      };
    },

    ask({ userId, actor }, { mode, retry, integration = '' }, value) {
      if (mode === null || !isObject(value)) return null;
      const person = { person: userId, caller: actor.id };
      if (value['connectionId'] !== undefined) {
        const begun = Begun.parse(value);
        // A form may not be the way to a secret. MCP 2026-07-28, Elicitation
        if (mode === 'form' && begun.error !== undefined) return null;
        return demand(mode, [signInQuestion(integration, begun)], { ...person, begun });
      }
      const round = (retry?.round ?? 0) + 1;
      if (round > APPROVAL_ROUNDS) return null;
      const results = askedIn(value);
      if (results.length === 0) return null;
      return demand(mode, results.flatMap(approvalQuestions), { ...person, round, results });
    },

    async wait({ userId }, { retry }, signal) {
      const ids = retry?.results.flatMap(({ approval }) => approval?.id ?? []) ?? [];
      await waitForDecisions(userId, ids, APPROVAL_ROUND_MS, signal);
    },
  };
}

function approvalQuestions({ approval, integration, message }: NotRun): Question[] {
  if (approval === undefined) return [];
  const { id, url } = approval;
  const formMessage = `A call of ${integration} waits for your yes or no. Open this address in your browser and decide there, then answer here. This form approves nothing.`;
  return [{ id, url, message, formMessage }];
}

function signInQuestion(integration: string, { connectionId, url }: z.infer<typeof Begun>): Question {
  const message = `${integration} has to be connected before its tools can run.`;
  const formMessage = `${message} Open this address in your browser and sign in there, then answer here. Enter no password and no key into this form.`;
  return { id: connectionId, url, message, formMessage };
}

const INVALID: RpcError = {
  code: JsonRpcCode.INVALID_PARAMS,
  message: `${ErrorText.INVALID_ARGUMENTS}: requestState and inputResponses must be those of an input_required result of this caller`,
};

/** The results of a batch, if no call ran and at least one waits for an approval. Otherwise none. */
function askedIn({ results }: Record<string, unknown>): NotRun[] {
  // A schema that fails costs more than most calls do.
  if (!Array.isArray(results) || !results.some(waits)) return [];
  return NotRuns.safeParse(results).data ?? [];
}

const waits = (item: unknown) => isObject(item) && item['approval'] !== undefined;

const NotRuns = z.array(NotRun);

// Makes one call of a script: an execution like any other, in the name of whoever runs the script. reference: Scripts
import * as z from 'zod';
import type { Execute } from '../calls/execute.ts';
import { toExecutionResult } from '../calls/execution-result.ts';
import type { FindTool } from '../calls/find-tool.ts';
import { KEY_CHARACTERS } from '../calls/once/limits.ts';
import type { Outcome } from '../calls/outcome.ts';
import type { Place } from '../calls/reading-order.ts';
import { writeWithin } from '../calls/results/json-pieces.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { canonicalJson } from '../json/canonical.ts';
import { parseExactIntegers } from '../json/exact-integers.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import { type ApprovalLink, deniedText } from '../policy/model/approvals.ts';
import type { Ports } from '../ports/ports.ts';
import type { ScriptAnswer, ScriptCall } from '../ports/script-runner.ts';
import { nearestForBatch, type ToolboxOf } from '../search/toolbox.ts';
import type { KeptCall } from './kept-run.ts';
import { ANSWER_BYTES, CALLS_PER_RUN, RETRY_MS } from './limits.ts';
import { SCRIPTS } from './names.ts';

/** What is known of the tool of a call. */
export type Called = Pick<KeptCall, 'tool' | 'integration' | 'definition'>;

export type CallEnd = { called: Called } & (
  | { answer: ScriptAnswer }
  | { approval: ApprovalLink }
  /** Nothing is known of the call, and the run cannot go on. */
  | { over: 'access-ended' }
);

export type CallTool = (
  caller: KnownCaller,
  call: ScriptCall,
  run: { id: string; waited: KeptCall | undefined; place: Place; stop: AbortSignal },
) => Promise<CallEnd>;

type Needs = Pick<Ports, 'clock' | 'digest' | 'store' | 'texts'> & {
  execute: Execute;
  findTool: FindTool;
  registries: Registries;
  toolboxOf: ToolboxOf;
};

const UNKNOWN_TOOL: Called = { tool: null, integration: null, definition: null };

/** Names the definition of a tool: what a person has approved was about this one. */
export function createDefinitionOf({
  digest,
  texts,
}: Pick<Ports, 'digest' | 'texts'>): (found: RegisteredTool) => Promise<string> {
  const known = new WeakMap<RegisteredTool['tool'], string>();
  return async function definitionOf({ tool, integration }) {
    await texts.of(integration.name);
    const { name, description, access, schema, request, digest: pinned = '' } = tool;
    const imported = integration.imported?.id ?? '';
    const made =
      known.get(tool) ??
      digest.sha256(canonicalJson({ imported, pinned, name, description, access, schema, request }));
    known.set(tool, made);
    return made;
  };
}

export function createCallTool({
  clock,
  digest,
  execute,
  findTool,
  registries,
  store,
  texts,
  toolboxOf,
}: Needs): CallTool {
  const definitionOf = createDefinitionOf({ digest, texts });

  /** `tools["github"].list_issues` names its integration. */
  async function find(caller: KnownCaller, name: string): Promise<RegisteredTool | string | null> {
    const dot = name.indexOf('.');
    if (dot === -1) return findTool(caller, name, null);
    const within = await registries.integration(caller.userId, name.slice(0, dot));
    return within === null
      ? `There is no integration "${name.slice(0, dot)}"`
      : findTool(caller, name.slice(dot + 1), within);
  }

  async function answerOf(caller: KnownCaller, outcome: Outcome): Promise<ScriptAnswer> {
    if (outcome.kind === 'success') {
      const json = writeWithin(outcome.result ?? null, ANSWER_BYTES);
      return json === null ? fail('TOO_LARGE', TOO_LARGE) : { ok: true, json };
    }
    const result = await toExecutionResult(outcome, nearestForBatch(toolboxOf, caller));
    const { error, message } = 'error' in result ? result : { error: 'ERROR', message: undefined };
    const isCode = Object.hasOwn(ErrorCode, error);
    return fail(
      isCode ? error : (CODES[outcome.kind] ?? 'ERROR'),
      isCode ? (message ?? error) : [error, message].filter((part) => part !== undefined).join(': '),
    );
  }

  return async function callTool(caller, { index, name, args, options }, { id, waited, place, stop }) {
    if (index >= CALLS_PER_RUN) return { called: UNKNOWN_TOOL, answer: fail('TOO_MANY_CALLS', TOO_MANY) };
    const found = await find(caller, name);
    if (typeof found === 'string') return { called: UNKNOWN_TOOL, answer: fail('TOOL_NOT_FOUND', found) };
    if (found?.integration.name === SCRIPTS)
      return { called: UNKNOWN_TOOL, answer: fail('BLOCKED', NO_SCRIPTS) };
    const called: Called =
      found === null
        ? UNKNOWN_TOOL
        : {
            tool: found.tool.name,
            integration: found.integration.name,
            definition: await definitionOf(found),
          };
    const question = waited?.approval ?? null;
    if (question !== null) {
      const row = await store.approvals.get(caller.userId, question.id);
      if (row?.state === 'denied') return { called, answer: fail('DENIED', deniedText(row)) };
    }
    const given = readOptions(options);
    if (given === null) return { called, answer: fail('INVALID_ARGUMENTS', OPTIONS) };
    const { account, select, key = `script:${id}:${index}` } = given;
    for (;;) {
      const outcome = await execute(caller, {
        tool: found?.tool.name ?? name,
        within: null,
        ...(found === null ? {} : { found }),
        args: parseExactIntegers(args),
        account,
        key,
        select,
        script: id,
        place,
      });
      if (outcome.kind === 'access-ended') return { called, over: 'access-ended' };
      if (outcome.kind === 'asked') return { called, approval: outcome.approval };
      // The process that made this call before is not known to be lost yet.
      const isHeld =
        given.key === undefined && outcome.kind === 'not-repeated' && outcome.error === 'IN_PROGRESS';
      if (!isHeld || stop.aborted) return { called, answer: await answerOf(caller, outcome) };
      await clock.sleep(RETRY_MS, stop);
    }
  };
}

const fail = (code: string, message: string): ScriptAnswer => ({ ok: false, code, message, status: null });

const CODES: Partial<Record<Outcome['kind'], string>> = {
  'invalid-arguments': 'INVALID_ARGUMENTS',
  'tool-not-found': 'TOOL_NOT_FOUND',
  'select-failed': 'SELECT',
};

const TOO_MANY = `A script makes at most ${CALLS_PER_RUN} calls in a run`;
const TOO_LARGE =
  'The call ran, and its result is longer than the 1 MiB that a script can get. Ask for less by its arguments, or with {select}';
const NO_SCRIPTS = 'A script cannot run, save or delete scripts';
const OPTIONS = 'The second argument of a tool is {account, key, select}, and each is a text';

const text = z.string().optional();
const Options = z.strictObject({
  account: text,
  key: z.string().min(1).max(KEY_CHARACTERS).optional(),
  select: text,
});

/** Null for what cannot be read. */
const readOptions = (json: string | null): z.infer<typeof Options> | null =>
  Options.safeParse((json === null ? null : parseExactIntegers(json)) ?? {}).data ?? null;

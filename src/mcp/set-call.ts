// Calls one tool of a set, and answers as the server of the tool would: with blocks, or with a sentence as an error.
// reference: Sets
import type { Execute } from '../calls/execute.ts';
import { type ExecutionResult, toExecutionResult } from '../calls/execution-result.ts';
import { RESULT_CHARACTERS } from '../calls/results/limits.ts';
import { isObject } from '../json/json.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { Lease } from '../memory/budget.ts';
import { nearestForBatch, type ToolboxOf } from '../search/toolbox.ts';
import type { Called, Methods } from './methods.ts';
import type { Content, Render, Rendered } from './render.ts';
import { type AddressOf, readdress } from './set-addresses.ts';
import { explainFailure } from './set-failure.ts';
import type { RunnableCall } from './task-methods.ts';

interface SetCall {
  name: string;
  /** Null where the caller does not have the tool any more. */
  registered: RegisteredTool | null;
  args: Record<string, unknown>;
  account?: string | undefined;
  /** The client shows the page of the tool, which reads the result as its server has written it. */
  isForPage?: boolean | undefined;
  /** The tool is open to pages only, so no name finds it. */
  isHidden?: boolean | undefined;
  /** Gives a resource of the server its address in the set, where the set relays resources. */
  addressOf?: AddressOf | undefined;
}

export type CallSetTool = (caller: KnownCaller, call: SetCall) => RunnableCall;

type Needs = { execute: Execute; methods: Methods; render: Render; toolboxOf: ToolboxOf };
/** The result of an imported tool as its server has given it. */
type Answer = Readonly<Record<string, unknown>> | undefined;

export function createCallSetTool({ execute, methods, render, toolboxOf }: Needs): CallSetTool {
  return function callSetTool(
    caller,
    { name, registered, args, account, isForPage = false, isHidden = false, addressOf },
  ) {
    /** `lease` and `signal` are those of the run. */
    async function show(
      value: unknown,
      answer: Answer,
      lease: Lease | undefined,
      signal?: AbortSignal,
    ): Promise<Rendered> {
      const result = resultIn(value);
      if (!('result' in result) || 'error' in result)
        return failed(await explainFailure(methods, caller, result, account));
      const told = result.redacted === undefined ? [] : [textOf(sayRedacted(result.redacted))];
      const output = registered?.tool.output;
      const structured = structuredIn(answer ?? keptAnswer(result.result));
      // A client refuses a result that breaks the promise of its schema.
      if (output !== undefined && (structured === undefined || !output.fits(structured)))
        return failed(UNFIT);
      const content =
        (isForPage ? blocksAsGiven(answer) : null) ?? (await contentOf(result.result, lease, signal));
      if (isForPage) return { content, structuredContent: structured, ...metaIn(answer) };
      const all = [...content, ...told];
      return output === undefined ? { content: all } : { content: all, structuredContent: structured };
    }

    function inSet(block: Record<string, unknown>): Record<string, unknown> {
      const moved = addressOf === undefined ? block : readdress(block, addressOf);
      return isObject(moved) ? moved : block;
    }

    async function contentOf(
      value: unknown,
      lease: Lease | undefined,
      signal?: AbortSignal,
    ): Promise<Content[]> {
      const shown = async (each: unknown): Promise<Content[]> => {
        if (typeof each === 'string' && each.length <= RESULT_CHARACTERS) return [textOf(each)];
        return (await render(caller, each, { lease, signal, tools: () => [name] })).content;
      };
      if (registered?.integration.imported?.kind !== 'mcp') return shown(value);
      const blocks = blocksIn(value);
      if (blocks === null) return shown(value);
      const length = blocks.reduce((sum: number, block) => sum + lengthOf(block), 0);
      // A longer list is cut as a whole, so that read_result can read all of it.
      if (length > RESULT_CHARACTERS) return shown(value);
      const content: Content[] = [];
      for (const block of blocks) content.push(...(readBlock(inSet(block)) ?? (await shown(block))));
      return content;
    }

    // No name finds a hidden tool, and the gateway runs a task by the names in it.
    const batch = isHidden ? {} : { batch: { executions: [{ tool: name, args, account }] } };
    return {
      name,
      args,
      ...batch,
      tellsEnd: true,
      async run(signal, lease = caller.lease): Promise<Called> {
        let answer: Answer;
        const taken: KnownCaller = {
          ...caller,
          signal,
          lease,
          onAnswer: (given) => void (answer = given),
        };
        const outcome = await execute(taken, {
          tool: name,
          args,
          account,
          within: null,
          ...(isHidden && registered !== null ? { found: registered } : {}),
        });
        const result = await toExecutionResult(outcome, nearestForBatch(toolboxOf, caller));
        const value = { results: [result] };
        return { value, rendered: await show(value, answer, lease, signal) };
      },
      render: (value) => show(value, undefined, caller.lease),
    };
  };
}

/** The gateway keeps only the value of a result that waited in a task. */
const keptAnswer = (value: unknown): Answer =>
  isObject(value) && isObject(value['structuredContent']) ? value : { structuredContent: value };

const UNFIT =
  'The call has run, but the answer of its server does not fit the schema that the server declares, so it is not passed on.';

const textOf = (text: string): Content => ({ type: 'text', text });
const sayRedacted = (redacted: Readonly<Record<string, number>>): string =>
  `A rule of the person has taken out of this result: ${Object.entries(redacted)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')}.`;
const failed = (sentence: string): Rendered => ({ content: [textOf(sentence)], isError: true });

function resultIn(value: unknown): ExecutionResult {
  const results = isObject(value) && Array.isArray(value['results']) ? value['results'] : [];
  // Both come from the one place that makes them: a run, or a question about a run.
  return results[0] as ExecutionResult;
}

/** The blocks that the server of an imported tool has given. Null for every other value. */
function blocksIn(value: unknown): readonly Record<string, unknown>[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isBlock) ? value : null;
  if (!isObject(value)) return null;
  if (value['type'] === 'resource_link' || value['type'] === 'resource') return [value];
  const { structuredContent, content } = value;
  const others = blocksIn(content);
  if (structuredContent === undefined || others === null) return null;
  return [{ type: 'text', text: JSON.stringify(structuredContent) }, ...others];
}

function structuredIn(answer: Answer): Record<string, unknown> | undefined {
  const structured = answer?.['structuredContent'];
  return isObject(structured) ? structured : undefined;
}

/** Notes of a server for its page. A model never sees them. */
const MAX_META_CHARACTERS = 64 * 1024;

function metaIn(answer: Answer): Pick<Rendered, '_meta'> {
  const meta = answer?.['_meta'];
  return isObject(meta) && JSON.stringify(meta).length <= MAX_META_CHARACTERS ? { _meta: meta } : {};
}

/** The blocks as the server has written them. Null where they are too long for a model, or of another kind. */
function blocksAsGiven(answer: Answer): Content[] | null {
  const blocks: unknown = answer?.['content'];
  if (!Array.isArray(blocks) || !blocks.every(isBlock)) return null;
  if (blocks.reduce((sum: number, block) => sum + lengthOf(block), 0) > RESULT_CHARACTERS) return null;
  const content = blocks.map((block) => (isPicture(block) ? [block] : readBlock(block)));
  return content.every((each) => each !== null) ? content.flat() : null;
}

function isPicture(
  block: Record<string, unknown>,
): block is { type: 'image'; data: string; mimeType: string } {
  const { type, data, mimeType } = block;
  return type === 'image' && typeof data === 'string' && typeof mimeType === 'string';
}

const TYPES = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link']);
const isBlock = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && TYPES.has(value['type']);

const lengthOf = ({ text }: Record<string, unknown>): number => (typeof text === 'string' ? text.length : 0);

/** Null for a block that is shown as JSON, such as one whose bytes are a kept file. */
function readBlock({ type, text, resource, uri, name }: Record<string, unknown>): Content[] | null {
  if (type === 'text' && typeof text === 'string') return [textOf(text)];
  if (type === 'resource_link' && typeof uri === 'string' && typeof name === 'string')
    return [{ type, uri, name }];
  if (type === 'resource' && isObject(resource)) {
    const { uri: address, text: body, mimeType } = resource;
    if (typeof address !== 'string' || typeof body !== 'string') return null;
    const kind = typeof mimeType === 'string' ? { mimeType } : {};
    return [{ type, resource: { uri: address, text: body, ...kind } }];
  }
  return null;
}

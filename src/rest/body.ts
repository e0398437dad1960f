// Reads the body of a REST call, which has one of three shapes. reference: REST
import * as z from 'zod';
import { HttpError } from '../http/errors.ts';
import { KEY_HEADER } from '../http/repeat-headers.ts';
import { parseExactIntegers, readArguments, readNested } from '../json/exact-integers.ts';
import { isObject, isTooDeep } from '../json/json.ts';
import { EXECUTIONS } from '../calls/limits.ts';
import { KEY_CHARACTERS } from '../calls/once/limits.ts';
import { readExecution } from '../calls/read-execution.ts';
import { describeIssues, namingKeys } from '../kit/validation.ts';

// The tool validates `args` itself: a call that it refuses is still an execution, and is audited. decision: 036
const Select = z.string().optional();
const Account = z.string().optional();
/** Names a call, so that it runs once. */
const Key = z.string().min(1).max(KEY_CHARACTERS);
export const SingleCall = z.object({
  tool: z.string(),
  args: z.unknown().optional(),
  select: Select,
  account: Account,
  key: Key.optional(),
});
const AnyCall = SingleCall.omit({ account: true, key: true });
const BesideArgs = SingleCall.pick({ account: true, key: true });
export const CallBatch = z.object({ executions: z.array(z.unknown()).max(EXECUTIONS) });
export const BatchedCall = z.strictObject({
  tool: z.string(),
  args: z.unknown().default({}),
  select: Select,
  account: Account,
  key: Key.optional(),
});

export interface Requested {
  tool: string;
  args: unknown;
  /** A JMESPath expression. reference: REST */
  select?: string | undefined;
  /** The label of the account to use. */
  account?: string | undefined;
  /** The key of the call. */
  key?: string | undefined;
}

/** An item of a batch that is not a call, with what is wrong with it. */
interface Malformed {
  wrong: string;
}

export type RestBody =
  | { kind: 'single'; call: Requested }
  | { kind: 'batch'; calls: (Requested | Malformed)[] };

/** `hint` is appended to the error when the text is not JSON. */
export function readBody(contentType: string | undefined, text: string, hint = ''): RestBody {
  const sent = readObject(contentType, text, hint);
  // In a flat call these members are arguments.
  const body = 'tool' in sent || !('arguments' in sent) ? sent : readExecution(sent);
  if ('executions' in body && !('tool' in body)) {
    const executions = readNested(body['executions']);
    return { kind: 'batch', calls: check(CallBatch, { executions }).executions.map(readItem) };
  }
  if (!('tool' in body)) throw bad('tool: name the tool to run, or send executions for several');
  const { tool, args, select } = check(AnyCall, withoutNull(body, ['args', 'select']));
  // Without `args` members of these names belong to the tool.
  const beside = args === undefined ? {} : check(BesideArgs, withoutNull(body, ['account', 'key']));
  const given = args === undefined ? flatArguments(body) : readArguments(args);
  return { kind: 'single', call: { tool, args: given, select, ...beside } };
}

/** Reads a body that is a JSON object, as every body of a call is. */
export function readObject(
  contentType: string | undefined,
  text: string,
  hint = '',
): Record<string, unknown> {
  if (!isJson(contentType) && !(contentType === undefined && text === '')) {
    throw new HttpError(415, {
      error: 'Unsupported Media Type: send JSON with Content-Type: application/json',
    });
  }
  const body = text.trim() === '' ? {} : parse(text, hint);
  if (!isObject(body)) throw bad('The body must be a JSON object');
  return body;
}

function isJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);
}

function parse(text: string, hint: string): unknown {
  if (isTooDeep(text)) throw bad('The body is nested too deeply');
  try {
    return parseExactIntegers(text);
  } catch {
    throw bad(`The body is not valid JSON${hint}`);
  }
}

function check<T>(schema: z.ZodType<T>, body: object): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw bad(describeIssues(parsed.error));
  return parsed.data;
}

// A malformed item fails alone; the rest of the batch runs. reference: Execution rules
function readItem(item: unknown): Requested | Malformed {
  const call = readExecution(item);
  const given = isObject(call) ? withoutNull(call, ['args', 'select', 'account', 'key']) : call;
  const parsed = BatchedCall.safeParse(given, namingKeys);
  if (!parsed.success) return { wrong: describeIssues(parsed.error) };
  return { ...parsed.data, args: readArguments(parsed.data.args) };
}

const BESIDE_ARGUMENTS = new Set(['tool', 'args', 'executions', 'select']);

function flatArguments(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !BESIDE_ARGUMENTS.has(key)));
}

/** The header of a single call: a text, or a string of structured fields. RFC 9651 §3.3.3 */
export function readKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = Key.safeParse(/^"(.*)"$/.exec(header)?.[1] ?? header);
  if (!key.success) throw bad(`${KEY_HEADER}: write 1 to ${KEY_CHARACTERS} characters`);
  return key.data;
}

/** Some clients write `null` for what they leave out. */
function withoutNull(body: object, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null || !names.includes(name)),
  );
}

function bad(error: string): HttpError {
  return new HttpError(400, { error });
}

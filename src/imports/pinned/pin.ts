// Makes pinned definitions of the tools that a source lists: named, cleaned, bounded and digested. decision: 042
import { canonicalJson } from '../../json/canonical.ts';
import { isObject } from '../../json/json.ts';
import type { Access } from '../../kit/integration.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Meant, meaningOf } from '../model/access-by-meaning.ts';
import type { SourceApp, SourceTool } from '../model/source-description.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { cleanText, cutText, describeRemoved, isClean, quoteName, type Removed } from './clean-text.ts';
import {
  type Annotations,
  type Definition,
  digestedText,
  MAX_DESCRIPTION,
  overrideAccess,
  type PinnedApp,
} from './definition.ts';
import { nameTools, type Naming } from './names.ts';
import { MAX_SCHEMA_BYTES, normaliseSchema, type Work } from './schema.ts';
import { createSuspicions, type Suspicions, textsIn } from './suspicions.ts';

export interface Pinned {
  name: string;
  /** The page of the tool as it was read. */
  app?: SourceApp | undefined;
  /** The definition as canonical JSON. */
  text: string;
  digest: string;
  definition: Definition;
  /** Whether it is a deletion only because its words say so. */
  isRaised: boolean;
  /** Whether its name says that it reads, and the source does not. */
  seemsToRead: boolean;
}

export interface PinOptions extends Naming {
  origin: string;
  /** The importer's choices, by the source's name or the gateway's name of a tool. */
  access?: Readonly<Record<string, Access>>;
  clock: Pick<Clock, 'millis' | 'turn'>;
}

export const MAX_TOOLS = 10_000;
/** Copying so many nodes takes seconds. */
const MAX_NODES = 1_000_000;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_SOURCE_NAME = 1_000;
const MAX_TITLE = 200;
const MAX_ORIGIN = 2_000;
const MAX_TAGS = 20;
const MAX_TAG = 100;
/** A text is read up to so many times its limit: characters that are removed do not count for the limit. */
const READ_TIMES = 2;
export const MAX_WARNINGS = 200;
const MAX_NOTES = 5;
/** After so much work, others have their turn. */
const TURN_MS = 10;

const encoder = new TextEncoder();

export interface PinnedTools {
  pinned: readonly Pinned[];
  warnings: readonly string[];
  /** Those of the warnings that are about texts for a model. */
  suspicions: readonly string[];
}

/** Throws a SourceFailure with status 413 when there is more than an import may have. */
export async function pinTools(
  importName: string,
  tools: readonly SourceTool[],
  options: PinOptions,
): Promise<PinnedTools> {
  if (tools.length > MAX_TOOLS)
    throw new SourceFailure(
      413,
      `The source has ${tools.length} tools, and an import may have ${MAX_TOOLS}. Include only those that you need.`,
    );
  const warnings: string[] = [];
  const warn = (tool: string, notes: readonly string[]): void => {
    const shown = notes.slice(0, MAX_NOTES);
    if (notes.length > MAX_NOTES) shown.push(`has ${notes.length - MAX_NOTES} more of such remarks`);
    warnings.push(...shown.map((note) => tellOf(tool, note)));
  };

  const finish = createFinish(options.clock);
  const unique = new Map<string, SourceTool>();
  for (const tool of tools) {
    if (unique.has(tool.name)) warn(tool.name, ['is listed again, and only its first definition counts']);
    else if (!isSourceName(tool.name))
      warn(tool.name, ['is left out, because its name is empty, too long or not a valid text']);
    else unique.set(tool.name, tool);
  }
  const names = await finish(nameTools(importName, [...unique.keys()], options));
  const isForeign = (word: string): boolean => options.isTaken(word) && !unique.has(word);

  const suspicions = createSuspicions(isForeign);
  const suspected: string[] = [];
  const pinned: Pinned[] = [];
  const work: Work = { nodes: 0 };
  let total = 0;
  for (const [source, tool] of unique) {
    const name = names.get(source);
    if (name === undefined) {
      warn(source, ['is left out, because no free name could be made for it']);
      continue;
    }
    const { entry, notes, says, bytes } = await finish(pinTool(name, tool, options, suspicions, work));
    warn(source, [...says, ...notes]);
    if (suspected.length < MAX_WARNINGS) suspected.push(...says.map((said) => tellOf(source, said)));
    total += bytes;
    if (work.nodes > MAX_NODES)
      throw new SourceFailure(
        413,
        'The schemas of all tools are too complex to be read. Include only the tools that you need.',
      );
    if (total > MAX_TOTAL_BYTES)
      throw new SourceFailure(
        413,
        'The definitions of all tools have more than 16 MiB. Include only the tools that you need.',
      );
    if (entry !== null) pinned.push(entry);
  }
  if (suspicions.isCut())
    warnings.unshift(
      'The tools have so much text that the rest of it was not searched for orders to a model.',
    );
  const raised = pinned.filter(({ isRaised }) => isRaised).length;
  if (raised > 0)
    warnings.unshift(
      raised === 1
        ? '1 tool looks as if it deletes, so it counts as a deletion'
        : `${raised} tools look as if they delete, so they count as deletions`,
    );
  const more = warnings.length - MAX_WARNINGS;
  if (more > 0) warnings.splice(MAX_WARNINGS, more, `There are ${more} more warnings.`);
  return { pinned, warnings, suspicions: suspected.slice(0, MAX_WARNINGS) };
}

/** Makes a warning of a phrase without a subject. */
export const tellOf = (tool: string, phrase: string): string => `The tool ${quoteName(tool)} ${phrase}.`;

/** Returns the source names of tools by the names that they would have. */
export async function nameSources(
  importName: string,
  tools: readonly SourceTool[],
  options: Naming & Pick<PinOptions, 'clock'>,
): Promise<Map<string, string>> {
  const sources = [...new Set(tools.map(({ name }) => name).filter(isSourceName))];
  const names = await createFinish(options.clock)(nameTools(importName, sources, options));
  return new Map([...names].map(([source, name]) => [name, source]));
}

const isSourceName = (name: string): boolean =>
  name !== '' && name.length <= MAX_SOURCE_NAME && name.isWellFormed();

/** Does all steps of some work, and gives others their turn between steps. */
function createFinish({
  millis,
  turn,
}: PinOptions['clock']): <Result>(steps: Generator<undefined, Result>) => Promise<Result> {
  let started = millis();
  return async (steps) => {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (millis() - started < TURN_MS) continue;
      await turn();
      started = millis();
    }
  };
}

interface Made {
  entry: Pinned | null;
  notes: string[];
  /** What its texts say to a model. */
  says: string[];
  bytes: number;
}

function* pinTool(
  name: string,
  tool: SourceTool,
  options: PinOptions,
  suspicions: Suspicions,
  work: Work,
): Generator<undefined, Made> {
  yield;
  const notes: string[] = [];
  const { access: choices = {}, origin, sha256 } = options;
  const leaveOut = (why: string): Made => ({
    entry: null,
    notes: [...notes, `is left out, because ${why}`],
    says: [],
    bytes: 0,
  });
  if (!isClean(tool.name)) notes.push('has invisible characters in its name');

  const removed: Removed = new Map();
  const input = yield* normaliseSchema(tool.inputSchema, 'input', removed, work);
  if (input === null) return leaveOut('the schema of its arguments is too large');
  const output =
    tool.outputSchema === undefined
      ? undefined
      : yield* normaliseSchema(tool.outputSchema, 'output', removed, work);
  yield;
  if (output === null) notes.push('loses the schema of its results, which is too large');
  for (const { notes: found } of [input, output ?? { notes: [] }]) notes.push(...found);
  if (removed.size > 0) notes.push(`loses ${describeRemoved(removed)} in its schemas`);

  const own = describe(tool, notes);
  const { access, declared, isRaised, seemsToRead } = judgeAccess(tool, own);
  const definition: Definition = {
    source: tool.name,
    ...own,
    inputSchema: input.schema,
    ...(output && { outputSchema: output.schema }),
    access,
    ...(declared && { declared }),
    ...(tool.operation && { operation: tool.operation }),
    origin: origin.slice(0, MAX_ORIGIN),
    ...(tool.app && { app: pinApp(tool.app, sha256) }),
    ...(tool.visibility && { visibility: tool.visibility }),
  };
  const chosen = Object.hasOwn(choices, name)
    ? choices[name]
    : Object.hasOwn(choices, tool.name)
      ? choices[tool.name]
      : undefined;
  const final = overrideAccess(definition, chosen);
  const says = suspicions.find(textsIn([own.title ?? '', own.description, input.schema]));
  yield;
  try {
    const text = canonicalJson(final);
    const bytes = encoder.encode(text).length;
    if (bytes > MAX_SCHEMA_BYTES) return leaveOut('its definition has more than 256 KiB');
    const digest = sha256(digestedText(final));
    return {
      entry: { name, text, digest, definition: final, isRaised, seemsToRead, app: tool.app },
      notes,
      says,
      bytes,
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return leaveOut('its definition cannot be written as JSON');
  }
}

/** Several tools may have the same page. */
const digests = new WeakMap<SourceApp, string>();

function pinApp(app: SourceApp, sha256: PinOptions['sha256']): PinnedApp {
  const { html, ...rest } = app;
  const digest = digests.get(app) ?? sha256(html);
  digests.set(app, digest);
  return { ...rest, digest };
}

type Described = Pick<Definition, 'title' | 'description' | 'annotations' | 'tags'>;

function describe(tool: SourceTool, notes: string[]): Described {
  const clean = (text: string, most: number, what: string): string => {
    const removed: Removed = new Map();
    const cleaned = cleanText(text.slice(0, most * READ_TIMES), removed).trim();
    if (removed.size > 0) notes.push(`loses ${describeRemoved(removed)} in its ${what}`);
    if (cleaned.length > most || text.length > most * READ_TIMES)
      notes.push(`has a ${what} of ${text.length} characters, which is cut at ${most}`);
    return cutText(cleaned, most);
  };
  const title = tool.title === undefined ? '' : clean(tool.title, MAX_TITLE, 'title');
  const annotations = readAnnotations(tool.annotations, (text) => clean(text, MAX_TITLE, 'title'));
  const tags = tool.tags?.slice(0, MAX_TAGS).map((tag) => clean(tag, MAX_TAG, 'tag'));
  return {
    ...(title !== '' && { title }),
    description: clean(tool.description, MAX_DESCRIPTION, 'description'),
    ...(annotations && { annotations }),
    ...(tags && tags.length > 0 && { tags }),
  };
}

function readAnnotations(given: unknown, clean: (text: string) => string): Annotations | undefined {
  if (!isObject(given)) return undefined;
  const annotations: Annotations = {};
  if (typeof given['title'] === 'string') annotations.title = clean(given['title']);
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
    const value = given[hint];
    if (typeof value === 'boolean') annotations[hint] = value;
  }
  return Object.keys(annotations).length > 0 ? annotations : undefined;
}

/** MCP gives `destructiveHint` a meaning only for tools that are not read-only. */
function hintedAccess(annotations: Annotations | undefined): Access {
  if (annotations?.readOnlyHint === true) return 'read';
  return annotations?.destructiveHint === true ? 'destroy' : 'write';
}

/** Some libraries write the specification's default of each hint into every tool. That says nothing about this one. */
function saysNothing(annotations: Annotations | undefined): boolean {
  if (annotations === undefined) return true;
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return (
    (readOnlyHint === false &&
      destructiveHint === true &&
      idempotentHint === false &&
      openWorldHint === true) ||
    (readOnlyHint === undefined && destructiveHint === undefined)
  );
}

/** `declared` is what the source says in its own language, where the words of the tool say something else. */
function judgeAccess(
  tool: SourceTool,
  { description, annotations }: Described,
): Meant & { declared?: Access } {
  const { name, operation } = tool;
  const declared = tool.access ?? hintedAccess(annotations);
  // The tools of a GraphQL endpoint have words of the gateway.
  if (operation !== undefined && 'graphql' in operation)
    return { access: declared, isRaised: false, seemsToRead: false };
  const path = typeof operation?.['path'] === 'string' ? operation['path'] : undefined;
  const access = tool.access ?? (saysNothing(annotations) ? undefined : declared);
  const meant = meaningOf({ name, path, description, access });
  return { ...meant, ...(meant.access === declared ? {} : { declared }) };
}

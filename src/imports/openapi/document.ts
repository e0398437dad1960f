// Reads the text of an OpenAPI description, JSON or YAML, and finds what a reference points to.
import { isObject, isTooDeep } from '../../json/json.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { isJsonText, refuseLarge } from './document-size.ts';
import { joinFiles } from './files.ts';

// The same depth as for JSON from callers.
const MAX_YAML_DEPTH = 500;
// Real descriptions have a few hundred. Each one costs time where it is read.
const MAX_YAML_ALIASES = 10_000;
// Each repair reads the text from its beginning. The worst of the descriptions of Docker's API needs nine.
const MAX_YAML_REPAIRS = 50;
const MAX_REPAIRED_BYTES = 2 * 1024 * 1024;
// Deeper than any line around it.
const REPAIR = ' '.repeat(80);
const MAX_REFERENCE_CHAIN = 20;

export type Node = Record<string, unknown>;

export interface Description {
  /** `2.0`, `3.0`, `3.1` or a later 3.x. */
  version: string;
  root: Node;
  /** Follows references until there is something else. Says in a sentence why that is not possible. */
  follow(value: unknown): Followed;
}

export type Followed =
  | { problem?: undefined; node: unknown; pointer: string | undefined }
  | { problem: string };

/** Reads an own member only, because a description may use the names of `Object.prototype`. */
export function member(node: unknown, name: string): unknown {
  return isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
}

export function objectOf(node: unknown, name: string): Node {
  const value = member(node, name);
  return isObject(value) ? value : {};
}

export function listOf(node: unknown, name: string): readonly unknown[] {
  const value = member(node, name);
  return Array.isArray(value) ? value : [];
}

/** Returns a text without white space at its ends, or undefined when there is none. */
export function textOf(node: unknown, name: string): string | undefined {
  const value = member(node, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export interface DescriptionFiles {
  /** The address of the description; null for an upload, which has no other files. */
  address: string | null;
  /** The texts of its other files, by their addresses. */
  others: ReadonlyMap<string, string>;
}

/** `turn` gives other requests a turn between steps that take a tenth of a second for a large document. */
export async function readDescription(
  text: string,
  turn: () => Promise<void> = async () => {},
  { address, others }: DescriptionFiles = { address: null, others: new Map() },
): Promise<Description> {
  const root = await parse(tidy(text), turn);
  await turn();
  if (!isObject(root)) throw new SourceFailure(422, 'This is not an OpenAPI description.');
  const version = readVersion(root);
  if (address !== null && others.size > 0) {
    const files = new Map<string, unknown>();
    for (const [file, content] of others) files.set(file, await parseFile(content, turn));
    await joinFiles(root, address, files, turn);
  }
  return { version, root, follow: (value) => follow(root, value) };
}

const tidy = (text: string): string => text.replace(/^\uFEFF/, '').trimStart();

/** What cannot be read is missing, and only what refers to it is left out. */
async function parseFile(text: string, turn: () => Promise<void>): Promise<unknown> {
  try {
    return await parse(tidy(text), turn);
  } catch (error) {
    if (error instanceof SourceFailure) return undefined;
    throw error;
  }
}

async function parse(text: string, turn: () => Promise<void>): Promise<unknown> {
  if (text === '') throw new SourceFailure(422, 'The description is empty.');
  if (text.startsWith('<'))
    throw new SourceFailure(
      422,
      'This is a web page or XML. Give the address of the description itself, which is JSON or YAML.',
    );
  refuseLarge(text);
  await turn();
  try {
    if (!isJsonText(text)) return await parseYaml(text, turn);
    if (!isTooDeep(text)) return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').slice(0, 200) : '';
    throw new SourceFailure(422, `The description cannot be read: ${reason}`, { cause: error });
  }
  throw new SourceFailure(422, 'The description is nested too deeply to be read.');
}

/** Aliases become references to the same object, so they take no memory. Everything that reads the result is bounded. */
async function parseYaml(text: string, turn: () => Promise<void>): Promise<unknown> {
  const { CORE_SCHEMA, load, mergeTag, YAMLException } = await import('./yaml.ts');
  const read = (lines: string) =>
    load(lines, {
      schema: CORE_SCHEMA.withTags(mergeTag),
      json: true,
      maxDepth: MAX_YAML_DEPTH,
      maxAliases: MAX_YAML_ALIASES,
    });
  let repaired = text;
  for (let repairs = 0; ; repairs++)
    try {
      return read(repaired);
    } catch (error) {
      const line = error instanceof YAMLException ? lineToIndent(error) : null;
      if (line === null || repairs >= MAX_YAML_REPAIRS || text.length > MAX_REPAIRED_BYTES) throw error;
      repaired = indentLine(repaired, line);
      await turn();
    }
}

/**
 * A value in braces, brackets or quotes may go on in a line that is indented less than YAML 1.2 wants. Other readers take
 * it, because its end is clear.
 */
function lineToIndent({ mark, reason }: { mark?: { line: number }; reason: string }): number | null {
  return reason === 'deficient indentation' && mark !== undefined ? mark.line : null;
}

function indentLine(text: string, line: number): string {
  let start = 0;
  for (let at = 0; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text;
    start = end + 1;
  }
  return text.slice(0, start) + REPAIR + text.slice(start);
}

function readVersion(root: Node): string {
  // YAML reads `swagger: 2.0` as a number.
  const [swagger, openapi] = ['swagger', 'openapi'].map((name) => {
    const value = member(root, name);
    return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
  });
  if (swagger === '2' || swagger?.startsWith('2.') === true) return '2.0';
  const [, version] = /^(3\.\d{1,3})(\.|$)/.exec(openapi ?? '') ?? [];
  if (version !== undefined) return version;
  if (openapi === '3') return '3.0';
  const said = swagger ?? openapi;
  throw new SourceFailure(
    422,
    said === undefined
      ? 'This is not an OpenAPI description: it has no field "openapi" or "swagger".'
      : `OpenAPI ${said.slice(0, 20)} is not supported. Give a description in version 2.0, 3.0 or 3.1.`,
  );
}

function follow(root: Node, value: unknown): Followed {
  let node = value;
  let pointer: string | undefined;
  for (let steps = 0; steps < MAX_REFERENCE_CHAIN; steps++) {
    const reference = member(node, '$ref');
    if (typeof reference !== 'string') return { node, pointer };
    if (!reference.startsWith('#'))
      return { problem: 'It refers to another document, which could not be read from the same address' };
    node = reference === '#' ? root : resolvePointer(root, reference.slice(1));
    if (node === undefined) return { problem: 'It refers to a part of the description that does not exist' };
    pointer = reference;
  }
  return { problem: 'It refers to a part of the description that only refers to itself' };
}

/** RFC 6901, in the form for the fragment of an address. */
function resolvePointer(root: Node, pointer: string): unknown {
  if (!pointer.startsWith('/')) return undefined;
  let node: unknown = root;
  for (const token of pointer.slice(1).split('/')) {
    const name = decode(token).replaceAll('~1', '/').replaceAll('~0', '~');
    node = Array.isArray(node) ? node[Number(name)] : member(node, name);
    if (node === undefined) return undefined;
  }
  return node;
}

function decode(token: string): string {
  if (!token.includes('%')) return token;
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

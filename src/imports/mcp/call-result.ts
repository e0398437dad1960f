// Turns the result of a tool into a value for agents: structured content, a text, or the blocks with their bytes as files.
import { parseExactJson, whyNotToParse } from '../../json/exact.ts';
import { isObject } from '../../json/json.ts';
import { fromBase64 } from '../../kit/binary.ts';
import { nameInPath, renderFile, type ToolFiles } from '../../kit/files.ts';
import type { Lease } from '../../memory/budget.ts';
import { McpFailure } from './client.ts';
import { clean } from './failures.ts';

/** Further pictures of a result are files: a model can look at some pictures, but not at an album. */
const MAX_SHOWN = 5;

/** Throws the server's own words when it says that the tool failed. */
export async function readResult(
  result: unknown,
  { host, files, lease }: { host: string; files: ToolFiles; lease: Lease | undefined },
): Promise<unknown> {
  if (!isObject(result)) throw new McpFailure(`${host} answered without a result. The call may have run`);
  const blocks = Array.isArray(result['content']) ? result['content'] : undefined;
  if (result['isError'] === true) throw new McpFailure(errorOf(blocks ?? [], host));
  const { structuredContent } = result;
  const hasValue = structuredContent !== undefined && structuredContent !== null;
  // Servers of 2024 answer with `toolResult`.
  if (blocks === undefined) return hasValue ? open(structuredContent) : (result['toolResult'] ?? null);
  if (!hasValue) return readBlocks(blocks, files, lease);
  const value = open(structuredContent);
  // A text beside a structured value says the same for clients that know no structured values.
  if (blocks.every((block) => isText(block))) return value;
  const isRepeated = (part: unknown): boolean =>
    blocks.some((block) => isSame(part, block) || (typeof part === 'string' && isText(block, part)));
  if ([value].flat().every(isRepeated)) return readBlocks(blocks, files, lease);
  const others = blocks.filter((block) => !isText(block, value));
  return { structuredContent: value, content: await readList(others, files, lease) };
}

async function readBlocks(
  blocks: readonly unknown[],
  files: ToolFiles,
  lease: Lease | undefined,
): Promise<unknown> {
  const [only] = blocks;
  if (blocks.length !== 1 || !isObject(only)) return readList(blocks, files, lease);
  const { type, text } = only;
  return type === 'text' && typeof text === 'string' ? readText(text) : readBlock(only, files, lease, false);
}

async function readList(
  blocks: readonly unknown[],
  files: ToolFiles,
  lease: Lease | undefined,
): Promise<unknown[]> {
  const read: unknown[] = [];
  let shown = 0;
  // One after the other, so that the bytes of one file at a time are held twice.
  for (const block of blocks) {
    const value = await readBlock(block, files, lease, shown >= MAX_SHOWN);
    if (isObject(value) && '_mcpImage' in value) shown++;
    read.push(value);
  }
  return read;
}

/** FastMCP and others put a value that is no object into an object with this one member. */
function open(value: unknown): unknown {
  const isWrapped = isObject(value) && Object.keys(value).length === 1 && 'result' in value;
  const opened = isWrapped ? value['result'] : value;
  return isWrapped && typeof opened === 'string' ? readText(opened) : opened;
}

/** Whether the block is a text. With a value, whether it says the same as the value. */
function isText(block: unknown, value?: unknown): boolean {
  if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return false;
  return value === undefined || block['text'] === value || isSame(readText(block['text']), value);
}

/** Python writes members that are not there as null. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((part, index) => isSame(part, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) =>
    isSame(one[key] ?? null, other[key] ?? null),
  );
}

/**
 * Many servers write JSON into one text. An object or a list becomes a value, so that agents can select from it; its
 * large integers become strings. Every other text stays as it is, also one that is a number, or that takes too long to be parsed.
 */
function readText(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || whyNotToParse(text) !== undefined) return text;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

function errorOf(blocks: readonly unknown[], host: string): string {
  const texts = blocks.flatMap((block) =>
    isObject(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  const words = clean(texts.join('\n'));
  return words === '' ? `${host} says that the tool failed, and does not say why` : words;
}

async function readBlock(
  block: unknown,
  files: ToolFiles,
  lease: Lease | undefined,
  asFile: boolean,
): Promise<unknown> {
  if (!isObject(block)) return block;
  const { type, data, mimeType, resource } = block;
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    const content = { name: type, mimeType: typeof mimeType === 'string' ? mimeType : '' };
    const kept = await keep(data, content, files, lease, asFile || type === 'audio');
    return kept === null ? block : { ...omit(block, 'data', 'mimeType'), ...kept };
  }
  if (type === 'resource' && isObject(resource) && typeof resource['blob'] === 'string') {
    const { uri, blob } = resource;
    const name = typeof uri === 'string' ? nameInPath(uri) : '';
    const content = {
      name: name === '' ? 'resource' : name,
      mimeType: typeof resource['mimeType'] === 'string' ? resource['mimeType'] : '',
    };
    const kept = await keep(blob, content, files, lease, true);
    return kept === null ? block : { ...block, resource: { ...omit(resource, 'blob', 'mimeType'), ...kept } };
  }
  return block;
}

/** Null when the text is not base64. */
async function keep(
  base64: string,
  { name, mimeType }: { name: string; mimeType: string },
  files: ToolFiles,
  lease: Lease | undefined,
  asFile: boolean,
): Promise<Record<string, unknown> | null> {
  lease?.charge(base64.length);
  const bytes = fromBase64(base64);
  return bytes === null ? null : renderFile(files, { bytes, name, mimeType }, { asFile });
}

function omit(value: Record<string, unknown>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

// Reads the pages that the tools of a server name, at the moment when its tools are listed. MCP Apps, SEP-1865
import { isObject } from '../../json/json.ts';
import { fromBase64 } from '../../kit/binary.ts';
import { APP_TYPE } from '../../kit/tool-app.ts';
import type { SourceApp, SourceTool } from '../model/source-description.ts';
import { quoteName } from '../pinned/clean-text.ts';
import { readAppMeta } from './app-meta.ts';
import type { ListedTools } from './listed-tools.ts';

export const MAX_APP_BYTES = 2 * 1024 * 1024;
const MAX_APPS = 32;
/** Bounds all pages of one server together. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_PAGES = 20;
const MAX_NAMED = 10;

/** Asks the server for one thing. A failure has words for people. */
export type AskServer = (
  method: 'resources/read' | 'resources/list',
  params: Record<string, unknown>,
) => Promise<unknown>;

/** Returns the tools with their pages. A tool whose page cannot be read stays without it. */
export async function readApps({ tools, warnings }: ListedTools, ask: AskServer): Promise<ListedTools> {
  const uris = [...new Set(tools.flatMap(({ appUri }) => appUri ?? []))];
  if (uris.length === 0) return { tools, warnings };
  const apps = new Map<string, SourceApp>();
  const notes: string[] = [];
  const leaveOut = (uri: string, why: string) =>
    void notes.push(`The app ${quoteName(uri)} was left out, because ${why}`);
  let listing: Promise<ReadonlyMap<string, unknown>> | undefined;
  let total = 0;
  for (const uri of uris) {
    if (apps.size === MAX_APPS) {
      leaveOut(uri, `a server may have ${MAX_APPS} apps`);
      continue;
    }
    try {
      const { meta, ...page } = readPage(uri, await ask('resources/read', { uri }));
      total += page.bytes;
      if (total > MAX_TOTAL_BYTES) throw new Unusable('all apps of the server have more than 16 MiB');
      // What the page says of itself comes before what the list says of it.
      const said = readAppMeta(meta) ?? readAppMeta((await (listing ??= listMeta(ask))).get(uri));
      if (said !== null && said.dropped.length > 0)
        notes.push(
          `The app ${quoteName(uri)} loses a part of its ${said.dropped.join(', ')}, which no host should take over`,
        );
      apps.set(uri, { uri, html: page.html, bytes: page.bytes, ...said?.value });
    } catch (error) {
      leaveOut(uri, error instanceof Error ? wordsOf(error) : 'it could not be read');
    }
  }
  const more = notes.length - MAX_NAMED;
  if (more > 0) notes.splice(MAX_NAMED, more, `There are ${more} more remarks about apps`);
  return {
    tools: tools.map(({ appUri, ...tool }): SourceTool => {
      const app = appUri === undefined ? undefined : apps.get(appUri);
      return app === undefined ? tool : { ...tool, app };
    }),
    warnings: [...warnings, ...notes],
  };
}

/** Why a page that was read cannot be used. */
class Unusable extends Error {
  override readonly name = 'Unusable';
}

const wordsOf = (error: Error): string =>
  error instanceof Unusable ? error.message : `it could not be read: ${error.message}`;

function readPage(uri: string, result: unknown): { html: string; bytes: number; meta: unknown } {
  const contents = isObject(result) && Array.isArray(result['contents']) ? result['contents'] : [];
  const content: unknown = contents.find((each) => isObject(each) && each['uri'] === uri) ?? contents[0];
  if (!isObject(content)) throw new Unusable('the server has nothing at this address');
  const { mimeType, text, blob, _meta: meta } = content;
  if (typeof mimeType !== 'string' || mimeType.toLowerCase().replaceAll(/\s/g, '') !== APP_TYPE)
    throw new Unusable(`it is not ${APP_TYPE}`);
  const html = typeof text === 'string' ? text : typeof blob === 'string' ? decode(blob) : null;
  if (html === null || html.trim() === '') throw new Unusable('it has no HTML');
  // PostgreSQL stores neither.
  if (html.includes('\0') || !html.isWellFormed()) throw new Unusable('it is not a valid text');
  const bytes = html.length > MAX_APP_BYTES ? html.length : new TextEncoder().encode(html).length;
  if (bytes > MAX_APP_BYTES) throw new Unusable('it has more than 2 MiB');
  return { html, bytes, meta };
}

function decode(base64: string): string | null {
  const bytes = fromBase64(base64);
  try {
    return bytes === null ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns what the server's list of resources says of each. A server may leave its pages out of the list. */
async function listMeta(ask: AskServer): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await ask('resources/list', cursor === undefined ? {} : { cursor }).catch(() => null);
    if (!isObject(result) || !Array.isArray(result['resources'])) break;
    for (const each of result['resources'])
      if (isObject(each) && typeof each['uri'] === 'string') found.set(each['uri'], each['_meta']);
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string' || cursor === '') break;
  }
  return found;
}

// Reads the prompts and resources of a server for sets: every page of its lists, cleaned and bounded, and single ones as they
// are. Nothing in it is trusted. decision: 060
import { isObject } from '../../json/json.ts';
import type { ServedPrompt } from '../../kit/set-servers.ts';
import { cleanLine, cleanText, cutText } from '../pinned/clean-text.ts';
import { nameTools, type Sha256 } from '../pinned/names.ts';
import { McpFailure } from './client.ts';
import type { Relayed } from './relayed-methods.ts';

/** Asks the server for one thing. Null where the server does not know the method. */
export type AskOne = (method: Relayed, params: Record<string, unknown>) => Promise<unknown>;

const MAX_PROMPTS = 100;
const MAX_RESOURCES = 1_000;
const MAX_ARGUMENTS = 32;
const MAX_PAGES = 20;
const MAX_NAME = 200;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 1_024;
const MAX_URI = 2_000;
/** Bounds the prompts of a server as they are stored, in characters. */
const MAX_STORED = 64 * 1024;
/** Bounds one prompt and one resource, in characters. The bytes of a picture are four thirds of themselves. */
const MAX_ANSWER = 3 * 1024 * 1024;
const APP = /profile\s*=\s*"?mcp-app/i;

/** Answers one request about prompts or resources. */
export async function relay(
  ask: AskOne,
  host: string,
  importName: string,
  sha256: Sha256,
  method: Relayed,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  switch (method) {
    case 'prompts/list':
      return { prompts: readPrompts(importName, await listAll(ask, method, 'prompts', MAX_PROMPTS), sha256) };
    case 'resources/list':
      return { resources: readResources(await listAll(ask, method, 'resources', MAX_RESOURCES), 'uri') };
    case 'resources/templates/list': {
      const listed = await listAll(ask, method, 'resourceTemplates', MAX_RESOURCES);
      return { resourceTemplates: readResources(listed, 'uriTemplate') };
    }
    case 'prompts/get': {
      const answer = bounded(await ask(method, params), host);
      const { description, messages } = answer;
      if (!Array.isArray(messages)) throw new McpFailure(`${host} answered without messages`);
      return { messages, ...(typeof description === 'string' ? { description: text(description) } : {}) };
    }
    case 'resources/read': {
      const { contents } = bounded(await ask(method, params), host);
      if (!Array.isArray(contents)) throw new McpFailure(`${host} has nothing at this address`);
      // A host would take it for a page of the set, and nobody has accepted it.
      if (contents.some((each) => isObject(each) && APP.test(String(each['mimeType']))))
        throw new McpFailure(`This is a page of an app of ${host}. Only what was accepted is relayed`);
      return { contents };
    }
  }
}

function bounded(answer: unknown, host: string): Record<string, unknown> {
  if (!isObject(answer)) throw new McpFailure(`${host} has nothing of this kind`);
  if (JSON.stringify(answer).length > MAX_ANSWER)
    throw new McpFailure(`${host} answered with more than 3 MiB`);
  return answer;
}

async function listAll(ask: AskOne, method: Relayed, member: string, most: number): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && all.length < most; page++) {
    const result = await ask(method, cursor === undefined ? {} : { cursor });
    const listed = isObject(result) ? result[member] : undefined;
    if (!isObject(result) || !Array.isArray(listed)) break;
    all.push(...listed);
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return all.slice(0, most);
}

const text = (given: string): string =>
  cutText(cleanText(given.slice(0, 2 * MAX_DESCRIPTION), new Map()).trim(), MAX_DESCRIPTION);

/** The title and the description of anything that a server lists. */
function wordsOf({ title, description }: Record<string, unknown>): { title?: string; description?: string } {
  return {
    ...(typeof title === 'string' && title !== ''
      ? { title: cleanLine(title.slice(0, 1_000), MAX_TITLE) }
      : {}),
    ...(typeof description === 'string' && description !== '' ? { description: text(description) } : {}),
  };
}

const isName = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name.length <= MAX_NAME && name.isWellFormed();

function readPrompts(importName: string, listed: readonly unknown[], sha256: Sha256): ServedPrompt[] {
  const bySource = new Map<string, Omit<ServedPrompt, 'name'>>();
  let stored = 0;
  for (const entry of listed) {
    if (!isObject(entry) || !isName(entry['name']) || bySource.has(entry['name'])) continue;
    const { name: source, arguments: given } = entry;
    const args = (Array.isArray(given) ? given : []).slice(0, MAX_ARGUMENTS).flatMap((each: unknown) => {
      if (!isObject(each) || !isName(each['name'])) return [];
      const { name, required } = each;
      return [{ name, ...wordsOf(each), ...(required === true ? { required } : {}) }];
    });
    const prompt = { source, ...wordsOf(entry), arguments: args };
    stored += JSON.stringify(prompt).length;
    if (stored > MAX_STORED) break;
    bySource.set(source, prompt);
  }
  const steps = nameTools(importName, [...bySource.keys()], { isTaken: () => false, sha256 });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const names = step.value;
  return [...bySource].flatMap(([source, prompt]) => {
    const name = names.get(source);
    return name === undefined ? [] : [{ name, ...prompt }];
  });
}

function readResources(listed: readonly unknown[], member: 'uri' | 'uriTemplate'): Record<string, unknown>[] {
  const seen = new Set<string>();
  return listed.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { [member]: uri, name, mimeType, size } = entry;
    if (typeof uri !== 'string' || uri === '' || uri.length > MAX_URI || !uri.isWellFormed()) return [];
    // The pages of apps have addresses of their own, and what was accepted.
    if (seen.has(uri) || uri.startsWith('ui:') || APP.test(String(mimeType))) return [];
    seen.add(uri);
    return [
      {
        [member]: uri,
        name: typeof name === 'string' ? cleanLine(name.slice(0, 1_000), MAX_NAME) : uri,
        ...wordsOf(entry),
        ...(typeof mimeType === 'string' ? { mimeType: cleanLine(mimeType.slice(0, 200), 100) } : {}),
        ...(typeof size === 'number' ? { size } : {}),
      },
    ];
  });
}

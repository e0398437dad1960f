// Reads an OpenAPI description, in version 2.0, 3.0 or 3.1, into what an import is made of. decision: 046
import { isObject } from '../../json/json.ts';
import type { Naming } from '../model/source.ts';
import type { SourceDescription, SourceTool } from '../model/source-description.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { type Description, member, objectOf, readDescription, textOf } from './document.ts';
import { createNameOperation, createToolNames, nameByWholePath, nameOperation, nameSource } from './names.ts';
import { shorten } from './plain.ts';
import type { SchemaCache } from './schemas.ts';
import { readSecurity } from './security.ts';
import { readServers, type Servers } from './servers.ts';
import { type Found, makeTool, tagsOf } from './tools.ts';

export interface ReadOptions {
  /** The address of the document, or null for an upload. Relative addresses in the document are relative to it. */
  address: string | null;
  /** Calls go here instead of to the first server that the description names. */
  base?: string | undefined;
  /** Values for the variables in the addresses of servers. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** An operation is taken when any of these fits. All are taken when this is missing. */
  choose?: Choice | undefined;
  /** The texts of the other files of the description, by their addresses. */
  files?: ReadonlyMap<string, string> | undefined;
  /** How tools are named. Those of an import keep their names. */
  naming?: Naming | undefined;
  /** Gives other requests a turn between operations. */
  turn?: (() => Promise<void>) | undefined;
}

export interface Choice {
  tags?: readonly string[];
  /** A path as the description writes it, also for all paths below it. */
  paths?: readonly string[];
  /** The name of a tool, an operationId, or a method and a path: `GET /users/{id}`. */
  operations?: readonly string[];
}

export const MAX_TOOLS = 10_000;
const MAX_OPERATIONS = 100_000;
const MAX_TAGS = 2_000;
const MAX_WARNINGS = 100;
const NAMED_IN_WARNING = 5;
const MAX_NAMED = 120;
const MAX_TITLE = 100;
const MAX_DESCRIPTION = 1_024;
const OPERATIONS_PER_TURN = 10;

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'query', 'options', 'trace'];

/** Throws a SourceFailure: 413 for what is too large, 422 for what is no usable description. */
export async function readOpenApi(text: string, options: ReadOptions): Promise<SourceDescription> {
  const { address, files = new Map() } = options;
  const description = await readDescription(text, options.turn, { address, others: files });
  const warnings = createWarnings();
  const servers = readServers(description, options);
  const info = objectOf(description.root, 'info');
  const title = shorten(textOf(info, 'title') ?? new URL(servers.base).hostname, MAX_TITLE);
  const ownName = nameSource(title, servers.base);
  const all = nameOperations(findOperations(description, warnings), options.naming ?? 2, ownName);
  if (all.length === 0)
    throw new SourceFailure(422, 'The description has no operations, so there is nothing to call.');
  const chosen = options.choose === undefined ? all : all.filter(chooser(options.choose));
  const tooMany =
    chosen.length > MAX_TOOLS
      ? `The description has ${chosen.length} operations, and an import has at most ${MAX_TOOLS}. Choose some of them with include, for example by a tag or by the beginning of a path.`
      : undefined;
  if (tooMany !== undefined) warnings.add(tooMany);
  const taken = chosen.slice(0, MAX_TOOLS);
  const security = readSecurity(
    description,
    taken.map(({ operation }) => operation),
    servers.base,
  );
  for (const problem of security.problems) warnings.add(problem);
  const tools = await makeTools(
    taken,
    { description, servers, isCarried: (place, name) => security.carries(place, name) },
    warnings,
    options.turn,
  );
  return {
    kind: 'openapi',
    name: ownName,
    displayName: title,
    description: shorten(textOf(info, 'description') ?? textOf(info, 'summary') ?? '', MAX_DESCRIPTION),
    auth: security.auth,
    ...(security.otherAuth.length > 0 ? { otherAuth: security.otherAuth } : {}),
    tools,
    isListed: true,
    warnings: warnings.list(),
    base: servers.base,
    servers: servers.all,
    ...(tooMany === undefined ? {} : { tooMany }),
    tags: tagCounts(all),
  };
}

/** Counts operations or tools by tag, the largest first. Those without a tag count under an empty name. */
export function tagCounts(
  items: readonly { tags?: readonly string[] | undefined }[],
): { name: string; tools: number }[] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of items)
    for (const tag of tags.length === 0 ? [''] : tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([name, tools]) => ({ name, tools }))
    .toSorted((one, other) => other.tools - one.tools || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_TAGS);
}

interface Warnings {
  /** Warnings that differ only in their operation become one. */
  add(problem: string, operation?: string): void;
  list(): string[];
}

function createWarnings(): Warnings {
  const found = new Map<string, { named: string[]; count: number }>();
  return {
    add(problem, operation) {
      const known = found.get(problem) ?? { named: [], count: 0 };
      found.set(problem, known);
      if (operation === undefined) return;
      known.count++;
      if (known.named.length < NAMED_IN_WARNING) known.named.push(operation.slice(0, MAX_NAMED));
    },
    list: () =>
      [...found].slice(0, MAX_WARNINGS).map(([problem, { named, count }]) => {
        if (count === 0) return problem;
        const others = count - named.length;
        return `${problem}: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
      }),
  };
}

/** Names depend on all operations and not on the choice, so a later choice does not rename a tool. */
function nameOperations(all: readonly Unnamed[], naming: Naming, prefix: string): Found[] {
  const nameOnce = createToolNames();
  const nameOf = naming === 1 ? nameOperation : createNameOperation(all, prefix);
  return all.map((found) => ({
    ...found,
    name: nameOnce(nameOf(found), () => nameByWholePath(found.method, found.path)),
  }));
}

type Unnamed = Omit<Found, 'name'>;

function findOperations(description: Description, warnings: Warnings): Unnamed[] {
  const found: Unnamed[] = [];
  for (const [path, given] of Object.entries(objectOf(description.root, 'paths'))) {
    // Extensions lie beside the paths.
    if (path.startsWith('x-')) continue;
    const followed = description.follow(given);
    if (followed.problem !== undefined || !isObject(followed.node)) {
      warnings.add(followed.problem ?? 'A path has no operations', path);
      continue;
    }
    for (const name of METHODS) {
      const described = member(followed.node, name);
      if (described === undefined) continue;
      const method = name.toUpperCase();
      const read = description.follow(described);
      const operation = read.problem === undefined ? read.node : null;
      const problem = read.problem ?? problemOf(method, path, operation);
      if (problem !== null || !isObject(operation)) {
        warnings.add(problem ?? 'It is not described', `${method} ${path}`);
        continue;
      }
      if (found.length >= MAX_OPERATIONS) {
        warnings.add(`Only the first ${MAX_OPERATIONS} operations are read.`);
        return found;
      }
      const id = textOf(operation, 'operationId');
      found.push({
        id,
        method,
        path: path.startsWith('/') ? path : `/${path}`,
        tags: tagsOf(operation),
        pathItem: followed.node,
        operation,
      });
    }
  }
  return found;
}

function problemOf(method: string, path: string, operation: unknown): string | null {
  if (!isObject(operation)) return 'It is not described';
  if (method === 'OPTIONS' || method === 'TRACE') return 'The gateway does not call this method';
  if (/[?#]/.test(path)) return 'Its path has a query or a fragment, which is not supported';
  // A call must stay below the base.
  if (path.length > 2_000 || path.split('/').some((part) => part === '..' || part === '.'))
    return 'Its path is not usable';
  return null;
}

function chooser({ tags = [], paths = [], operations = [] }: Choice): (found: Found) => boolean {
  const [wantedTags, wanted] = [new Set(tags), new Set(operations)];
  const prefixes = paths.map((path) => path.replace(/\/+$/, ''));
  return ({ id, method, name, path, tags: own }) =>
    own.some((tag) => wantedTags.has(tag)) ||
    (own.length === 0 && wantedTags.has('')) ||
    wanted.has(name) ||
    (id !== undefined && wanted.has(id)) ||
    wanted.has(`${method} ${path}`) ||
    prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

async function makeTools(
  taken: readonly Found[],
  shared: { description: Description; servers: Servers; isCarried: (place: string, name: string) => boolean },
  warnings: Warnings,
  turn: (() => Promise<void>) | undefined,
): Promise<SourceTool[]> {
  const cache: SchemaCache = new Map();
  const tools: SourceTool[] = [];
  for (const [index, found] of taken.entries()) {
    if (index % OPERATIONS_PER_TURN === OPERATIONS_PER_TURN - 1) await turn?.();
    const label = `${found.method} ${found.path}`;
    // Servers of the operation count before those of its path.
    const owner = [found.operation, found.pathItem].find((node) => Array.isArray(member(node, 'servers')));
    const base = owner === undefined ? undefined : shared.servers.find(owner);
    if (base === null) {
      warnings.add('It is served by another host than the rest, so it is left out', label);
      continue;
    }
    const problems = new Set<string>();
    const tool = makeTool(found, { ...shared, cache, base, problems });
    if (tool !== null) tools.push(tool);
    for (const problem of problems) warnings.add(problem, label);
  }
  return tools;
}

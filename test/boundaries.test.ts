// Checks the architecture: which room may import which. CONTRIBUTING.md has the map.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** A room and the rooms it imports from. A rule that no import uses fails the test. */
const ARROWS: Record<string, readonly string[]> = {
  src: [
    'src/actors',
    'src/auth',
    'src/calls',
    'src/calls/once',
    'src/calls/results',
    'src/connections',
    'src/crypto',
    'src/egress',
    'src/events',
    'src/files',
    'src/http',
    'src/imports',
    'src/jots',
    'src/kit',
    'src/live-view',
    'src/login',
    'src/maintenance',
    'src/mcp',
    'src/mcp/tasks',
    'src/memory',
    'src/notices',
    'src/oauth',
    'src/people',
    'src/policy',
    'src/ports',
    'src/raw',
    'src/record',
    'src/rest',
    'src/rest/openapi',
    'src/search',
    'src/search/catalog',
    'src/scim',
    'src/scripts',
    'src/sets',
  ],
  'src/actors': [
    'src/auth',
    'src/config',
    'src/connections/model',
    'src/http',
    'src/kit',
    'src/policy/model',
    'src/ports',
  ],
  'src/auth': ['src/crypto', 'src/http', 'src/kit', 'src/memory', 'src/ports'],
  'src/config': [],
  'src/connections': [
    'src/auth',
    'src/config',
    'src/connections/calls',
    'src/connections/checking',
    'src/connections/cookies',
    'src/connections/ending',
    'src/connections/keys',
    'src/connections/model',
    'src/connections/oauth',
    'src/crypto',
    'src/http',
    'src/kit',
    'src/ports',
  ],
  'src/connections/calls': [
    'src/connections/cookies',
    'src/connections/model',
    'src/connections/oauth',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/connections/checking': [
    'src/connections/calls',
    'src/connections/cookies',
    'src/connections/model',
    'src/connections/oauth',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/connections/cookies': [
    'src/auth',
    'src/config',
    'src/connections/model',
    'src/egress',
    'src/http',
    'src/kit',
    'src/ports',
  ],
  'src/connections/ending': [
    'src/connections/calls',
    'src/connections/checking',
    'src/connections/cookies',
    'src/connections/model',
    'src/connections/oauth',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/connections/keys': [
    'src/auth',
    'src/connections/model',
    'src/egress',
    'src/http',
    'src/kit',
    'src/ports',
  ],
  'src/connections/model': [
    'src/auth',
    'src/config',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/connections/oauth': [
    'src/auth',
    'src/config',
    'src/connections/model',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/crypto': ['src/config', 'src/ports'],
  'src/egress': ['src/config', 'src/json', 'src/memory', 'src/ports'],
  'src/events': [
    'src/auth',
    'src/calls',
    'src/config',
    'src/crypto',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/files': ['src/auth', 'src/config', 'src/crypto', 'src/http', 'src/kit', 'src/memory', 'src/ports'],
  'src/http': ['src/config', 'src/crypto', 'src/egress', 'src/json', 'src/memory', 'src/ports'],
  'src/imports': [
    'src/auth',
    'src/config',
    'src/connections/calls',
    'src/connections/model',
    'src/connections/oauth',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/imports/graphql',
    'src/imports/known',
    'src/imports/mcp',
    'src/imports/model',
    'src/imports/oauth',
    'src/imports/openapi',
    'src/imports/pinned',
    'src/json',
    'src/kit',
    'src/memory',
    'src/policy/model',
    'src/ports',
  ],
  'src/imports/graphql': [
    'src/egress',
    'src/imports/model',
    'src/imports/openapi',
    'src/imports/pinned',
    'src/json',
    'src/kit',
    'src/ports',
  ],
  'src/imports/known': [],
  'src/imports/mcp': [
    'src/egress',
    'src/imports/model',
    'src/imports/oauth',
    'src/imports/pinned',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/imports/model': ['src/crypto', 'src/egress', 'src/json', 'src/kit', 'src/memory', 'src/ports'],
  'src/imports/oauth': [
    'src/config',
    'src/connections/model',
    'src/connections/oauth',
    'src/crypto',
    'src/egress',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/imports/openapi': [
    'src/egress',
    'src/imports/model',
    'src/imports/pinned',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/imports/pinned': ['src/imports/model', 'src/json', 'src/kit', 'src/ports'],
  'src/jots': [
    'src/auth',
    'src/config',
    'src/http',
    'src/jots/model',
    'src/jots/publishing',
    'src/jots/serving',
    'src/jots/thumbnails',
    'src/jots/unpacking',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/jots/model': ['src/crypto', 'src/memory', 'src/ports'],
  'src/jots/thumbnails': [
    'src/crypto',
    'src/http',
    'src/jots/model',
    'src/jots/serving',
    'src/memory',
    'src/ports',
  ],
  'src/jots/publishing': [
    'src/config',
    'src/crypto',
    'src/http',
    'src/jots/model',
    'src/jots/serving',
    'src/jots/unpacking',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/jots/serving': ['src/config', 'src/crypto', 'src/http', 'src/jots/model', 'src/memory', 'src/ports'],
  'src/jots/unpacking': ['src/config', 'src/jots/model', 'src/kit', 'src/ports'],
  'src/json': [],
  'src/kit': ['src/crypto', 'src/egress', 'src/http', 'src/json', 'src/memory', 'src/ports'],
  'src/live-view': [
    'src/auth',
    'src/config',
    'src/connections/cookies',
    'src/connections/model',
    'src/http',
    'src/json',
    'src/kit',
    'src/ports',
  ],
  'src/login': ['src/auth', 'src/config', 'src/crypto', 'src/egress', 'src/http', 'src/kit', 'src/ports'],
  'src/maintenance': [
    'src/auth',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/mcp': [
    'src/auth',
    'src/calls',
    'src/calls/results',
    'src/config',
    'src/connections/model',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/mcp/card',
    'src/mcp/meta-tools',
    'src/mcp/tasks',
    'src/memory',
    'src/policy/model',
    'src/ports',
    'src/search',
    'src/sets/model',
  ],
  'src/mcp/card': ['src/kit', 'src/mcp/meta-tools', 'src/ports'],
  'src/mcp/meta-tools': [
    'src/auth',
    'src/calls',
    'src/calls/once',
    'src/calls/results',
    'src/connections/model',
    'src/connections/oauth',
    'src/http',
    'src/json',
    'src/kit',
    'src/policy/model',
    'src/ports',
    'src/search',
  ],
  'src/mcp/tasks': [
    'src/auth',
    'src/calls',
    'src/calls/results',
    'src/connections/model',
    'src/crypto',
    'src/http',
    'src/json',
    'src/kit',
    'src/mcp/meta-tools',
    'src/memory',
    'src/policy/model',
    'src/ports',
    'src/search',
  ],
  'src/memory': ['src/config', 'src/ports'],
  'src/notices': [
    'src/auth',
    'src/config',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/kit',
    'src/notices/model',
    'src/notices/sending',
    'src/ports',
  ],
  'src/notices/model': ['src/config', 'src/crypto', 'src/json', 'src/kit', 'src/ports'],
  'src/notices/sending': [
    'src/config',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/notices/model',
    'src/ports',
  ],
  'drivers/mail': ['src/ports'],
  'src/oauth': [
    'src/auth',
    'src/config',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/login',
    'src/oauth/machines',
    'src/policy/model',
    'src/ports',
  ],
  'src/oauth/machines': [
    'src/auth',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/login',
    'src/memory',
    'src/policy/model',
    'src/ports',
  ],
  'src/people': [
    'src/auth',
    'src/config',
    'src/crypto',
    'src/http',
    'src/kit',
    'src/login',
    'src/memory',
    'src/ports',
    'src/record/details',
    'src/record/model',
  ],
  'src/policy': [
    'src/auth',
    'src/crypto',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/policy/model',
    'src/ports',
    'src/record/model',
  ],
  'src/policy/model': [
    'src/auth',
    'src/config',
    'src/connections/model',
    'src/crypto',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
    'src/record/model',
  ],
  'src/ports': ['src/config'],
  'src/record': [
    'src/auth',
    'src/http',
    'src/kit',
    'src/ports',
    'src/record/details',
    'src/record/model',
    'src/record/pushing',
    'src/record/sealing',
    'src/record/usage',
  ],
  'src/record/details': [
    'src/auth',
    'src/crypto',
    'src/http',
    'src/json',
    'src/kit',
    'src/ports',
    'src/record/model',
  ],
  'src/record/model': ['src/http', 'src/kit', 'src/ports'],
  'src/record/pushing': [
    'src/auth',
    'src/config',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
    'src/record/model',
  ],
  'src/record/sealing': [
    'src/auth',
    'src/crypto',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
    'src/record/model',
  ],
  'src/record/usage': ['src/auth', 'src/http', 'src/kit', 'src/memory', 'src/ports', 'src/record/model'],
  'src/rest': [
    'src/auth',
    'src/calls',
    'src/calls/once',
    'src/connections/model',
    'src/http',
    'src/json',
    'src/kit',
    'src/policy/model',
    'src/ports',
    'src/search',
    'src/sets/model',
  ],
  'src/rest/openapi': [
    'src/config',
    'src/http',
    'src/json',
    'src/kit',
    'src/policy/model',
    'src/ports',
    'src/rest',
    'src/search',
    'src/sets/model',
  ],
  'src/scim': ['src/auth', 'src/http', 'src/json', 'src/kit', 'src/ports', 'src/record/model'],
  'src/scripts': [
    'src/auth',
    'src/calls',
    'src/calls/once',
    'src/calls/results',
    'src/config',
    'src/crypto',
    'src/http',
    'src/imports/pinned',
    'src/json',
    'src/kit',
    'src/memory',
    'src/policy/model',
    'src/ports',
    'src/search',
  ],
  'src/search': ['src/config', 'src/json', 'src/kit', 'src/memory', 'src/policy/model', 'src/ports'],
  'src/search/catalog': [
    'src/auth',
    'src/connections',
    'src/connections/keys',
    'src/connections/model',
    'src/http',
    'src/kit',
    'src/policy/model',
    'src/ports',
    'src/search',
  ],
  'src/sets': ['src/auth', 'src/http', 'src/kit', 'src/ports', 'src/sets/functions', 'src/sets/model'],
  'src/sets/functions': ['src/json', 'src/kit'],
  'src/sets/model': ['src/config', 'src/http', 'src/json', 'src/kit', 'src/memory', 'src/ports'],
  integrations: ['src/kit'],
  'drivers/assets': ['src/ports'],
  'drivers/blobs': ['src/ports'],
  'drivers/browser': ['src/ports'],
  'drivers/guides': ['src/ports'],
  'drivers/gunzip': ['src/ports'],
  'drivers/hasher': ['src/ports'],
  'drivers/keys': ['src/ports'],
  'drivers/metrics': ['src/ports'],
  'drivers/network': ['src/ports'],
  'drivers/pending': ['drivers/sql', 'src/ports'],
  'drivers/processes': ['src/ports'],
  'drivers/scripts': ['src/ports'],
  'drivers/sql': ['src/ports'],
  'drivers/system': ['src/ports'],
  'drivers/telemetry': ['drivers/metrics', 'src/config', 'src/ports'],
  'drivers/texts': ['src/ports'],
  'drivers/wakes': ['src/ports'],
  'adapters/node': [
    'drivers/assets',
    'drivers/blobs',
    'drivers/browser',
    'drivers/guides',
    'drivers/gunzip',
    'drivers/hasher',
    'drivers/keys',
    'drivers/mail',
    'drivers/metrics',
    'drivers/network',
    'drivers/pending',
    'drivers/processes',
    'drivers/scripts',
    'drivers/sql',
    'drivers/system',
    'drivers/telemetry',
    'drivers/texts',
    'drivers/wakes',
    'integrations',
    'src',
    'src/auth',
    'src/calls',
    'src/config',
    'src/connections',
    'src/connections/model',
    'src/connections/oauth',
    'src/crypto',
    'src/egress',
    'src/events',
    'src/files',
    'src/http',
    'src/jots',
    'src/jots/model',
    'src/jots/serving',
    'src/json',
    'src/kit',
    'src/live-view',
    'src/login',
    'src/maintenance',
    'src/people',
    'src/ports',
    'src/raw',
    'src/record/sealing',
    'src/rest/openapi',
    'src/scim',
    'src/scripts',
    'src/search',
  ],
  'adapters/workers': [
    'adapters/node',
    'drivers/assets',
    'drivers/blobs',
    'drivers/guides',
    'drivers/gunzip',
    'drivers/hasher',
    'drivers/metrics',
    'drivers/network',
    'drivers/pending',
    'drivers/sql',
    'drivers/system',
    'drivers/telemetry',
    'drivers/texts',
    'integrations',
    'src',
    'src/config',
    'src/connections/oauth',
    'src/egress',
    'src/http',
    'src/jots/serving',
    'src/kit',
    'src/live-view',
    'src/login',
    'src/maintenance',
    'src/ports',
    'src/raw',
    'src/record/sealing',
  ],
  portal: ['portal/api', 'portal/pages', 'portal/router', 'portal/session', 'portal/shell', 'portal/texts'],
  'portal/api': [
    'src/auth',
    'src/connections',
    'src/connections/model',
    'src/files',
    'src/imports',
    'src/jots',
    'src/kit',
    'src/login',
    'src/notices',
    'src/oauth',
    'src/people',
    'src/policy',
    'src/record/details',
    'src/record/model',
    'src/record/usage',
    'src/rest',
    'src/search/catalog',
  ],
  'portal/connect': [
    'portal/api',
    'portal/parts',
    'portal/router',
    'portal/session',
    'portal/state',
    'portal/texts',
  ],
  'portal/live': ['portal/api', 'portal/parts', 'portal/texts'],
  'portal/pages': [
    'portal/api',
    'portal/connect',
    'portal/live',
    'portal/parts',
    'portal/router',
    'portal/session',
    'portal/shell',
    'portal/state',
    'portal/texts',
  ],
  'portal/palette': ['portal/api', 'portal/parts', 'portal/router', 'portal/state', 'portal/texts'],
  'portal/parts': ['portal/api', 'portal/state', 'portal/texts'],
  'portal/router': [],
  'portal/session': ['portal/api', 'portal/router', 'portal/state'],
  'portal/shell': [
    'portal/api',
    'portal/palette',
    'portal/parts',
    'portal/router',
    'portal/session',
    'portal/state',
    'portal/texts',
  ],
  'portal/state': ['portal/api', 'portal/router'],
  'portal/texts': [],
  'src/calls': [
    'src/calls/once',
    'src/calls/results',
    'src/config',
    'src/connections/calls',
    'src/connections/cookies',
    'src/connections/model',
    'src/connections/oauth',
    'src/egress',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/policy/model',
    'src/ports',
    'src/record/details',
    'src/record/model',
    'src/search',
  ],
  'src/calls/once': ['src/calls/results', 'src/crypto', 'src/http', 'src/json', 'src/kit', 'src/ports'],
  'src/calls/results': [
    'src/config',
    'src/crypto',
    'src/http',
    'src/json',
    'src/kit',
    'src/memory',
    'src/ports',
  ],
  'src/raw': ['src/auth', 'src/calls', 'src/http', 'src/kit', 'src/ports'],
};

/** Circles that are left, by their folder. `.` stands for the files of the folder itself. */
const KNOWN_CIRCLES: Record<string, readonly (readonly string[])[]> = {};

/** The files that put everything together. No feature imports them. */
const COMPOSITION = new Set(['src/app.ts', 'src/deps.ts', 'src/features.ts']);
/** The rooms that everybody stands on. All others are features and the doors to them. */
const GROUND = new Set(['config', 'crypto', 'egress', 'http', 'json', 'kit', 'memory', 'ports']);
const RUNTIME_MODULE = /^(node:|cloudflare:|bun:)/;
const CORE_PACKAGES = new Set([
  'croner',
  'hono',
  '@hono/zod-validator',
  'zod',
  'jose',
  'oauth4webapi',
  '@jmespath-community/jmespath',
  '@cfworker/json-schema',
  'graphql',
  '@modelcontextprotocol/client',
  'js-yaml',
]);
/** The answers and bodies of routes, and the ground that some of them name. */
const OF_API = /^src\/(?:.*(?:operations|schemas)|kit\/[^/]+)\.ts$/;
/** What the portal has to work out exactly as the core does, before it has sent anything. It imports nothing. */
const RUNS_IN_BOTH = new Set(['src/kit/text-on.ts']);
const FOLDERS = ['src', 'integrations', 'drivers', 'adapters', 'portal'];

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g;
  return [...source.matchAll(pattern)].map(([, typeOnly, fixed, dynamic]) => {
    const specifier = fixed ?? dynamic ?? '';
    const target = specifier.startsWith('.')
      ? relative(ROOT, join(ROOT, dirname(file), specifier)).replace(/\?.*$/, '')
      : specifier;
    return { file, target, typeOnly: typeOnly !== undefined };
  });
}

/** In `src` each folder is a room; integrations are one room; elsewhere each folder of the first level is one. */
function roomOf(file: string): string {
  const [top = ''] = file.split('/');
  if (top === 'src') return dirname(file);
  return top === 'integrations' ? top : file.split('/').slice(0, -1).slice(0, 2).join('/');
}

const isIn = (parent: string, file: string): boolean => file.startsWith(`${parent}/`);

/** The room of the parent that holds the file; null for the parent's own files and for files elsewhere. */
const roomIn = (parent: string, file: string): string | null =>
  isIn(parent, file) ? (/^([^/]+)\//.exec(file.slice(parent.length + 1))?.[1] ?? null) : null;
/** Whether the portal imports what is for it: types that the core declares, and one function. */
function isForPortal({ file, target, typeOnly }: Import): boolean {
  return file.startsWith('portal/api/') && (RUNS_IN_BOTH.has(target) || (typeOnly && OF_API.test(target)));
}

/** The groups of nodes that reach each other. */
function circlesOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const next of arrows.get(node) ?? []) {
        if (!seen.has(next)) open.push(next);
        seen.add(next);
      }
    }
    return seen;
  };
  const reach = new Map([...arrows.keys()].map((node) => [node, reachable(node)]));
  const circles = [...reach].flatMap(([node, seen]) =>
    seen.has(node)
      ? [
          [...seen]
            .filter((other) => reach.get(other)?.has(node))
            .toSorted()
            .join(' '),
        ]
      : [],
  );
  return [...new Set(circles)].map((circle) => circle.split(' '));
}

function groupArrows(
  imports: readonly Import[],
  nameOf: (file: string) => string | null,
): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [nameOf(file), nameOf(target)];
    if (from === null || to === null || (from === to && file !== target)) continue;
    arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  }
  return arrows;
}

const isCode = (target: string) => /\.(ts|tsx|mjs)$/.test(target);
const isOwn = (target: string) => /^(src|drivers|integrations|adapters|portal|test|dist)\//.test(target);

describe('the architecture', () => {
  const core = filesOf('src').flatMap(importsOf);
  const all = FOLDERS.flatMap(filesOf).flatMap(importsOf);
  const own = all.filter(({ target }) => isOwn(target) && isCode(target) && !target.startsWith('dist/'));

  it('finds the imports that it judges', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(core).toContainEqual({ file: 'src/app.ts', target: 'hono', typeOnly: false });
    expect(own.some(({ file }) => file.startsWith('portal/'))).toBe(true);
  });

  it('has a rule for each room, and no rule for a room that is gone', () => {
    const rooms = new Set(FOLDERS.flatMap(filesOf).map(roomOf));
    expect(Object.keys(ARROWS).toSorted()).toEqual([...rooms].toSorted());
  });

  it('has at most 31 rooms at the top of src, and only the composition lies loose there', () => {
    const entries = readdirSync(join(ROOT, 'src'), { withFileTypes: true });
    expect(entries.filter((entry) => entry.isDirectory()).length).toBeLessThanOrEqual(31);
    const loose = entries.filter((entry) => entry.isFile() && isCode(entry.name)).map(({ name }) => name);
    expect(loose.toSorted()).toEqual(['app.ts', 'deps.ts', 'features.ts']);
  });

  it('has at most 60 arrows between features', () => {
    const featureOf = (file: string) => {
      const [, room = ''] = /^src\/([^/]+)\//.exec(file) ?? [];
      return room === '' || GROUND.has(room) ? null : room;
    };
    const arrows = groupArrows(own, featureOf);
    const count = [...arrows.values()].reduce((sum, targets) => sum + targets.size, 0);
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThanOrEqual(60);
  });

  it('lets a room import only what its rule names', () => {
    const wrong = own.filter(({ file, target, typeOnly }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      return from !== to && !ARROWS[from]?.includes(to) && !isForPortal({ file, target, typeOnly });
    });
    expect(wrong).toEqual([]);
  });

  it('lets the portal take types of the API from the core, and nothing else that runs', () => {
    const taken = own.filter(({ file, target }) => file.startsWith('portal/') && target.startsWith('src/'));
    expect(taken.length).toBeGreaterThan(15);
    expect(taken.filter((one) => !isForPortal(one))).toEqual([]);
    const [one] = taken;
    expect(one && isForPortal({ ...one, typeOnly: false })).toBe(false);
  });

  it('names only arrows that exist', () => {
    const existing = new Set(own.map(({ file, target }) => `${roomOf(file)} -> ${roomOf(target)}`));
    const named = Object.entries(ARROWS).flatMap(([from, to]) => to.map((room) => `${from} -> ${room}`));
    expect(named.filter((arrow) => !existing.has(arrow))).toEqual([]);
  });

  it('has no circle of files, imports of types included', () => {
    expect(circlesOf(groupArrows(own, (file) => file))).toEqual([]);
  });

  it('has no circle of rooms at the top of src', () => {
    const topOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1] ?? null;
    expect(circlesOf(groupArrows(own, topOf))).toEqual([]);
  });

  it.each(['src/connections', 'src/imports', 'src/jots', 'src/mcp', 'portal', 'portal/live', 'portal/pages'])(
    'has no circle of rooms in %s',
    (parent) => {
      expect(circlesOf(groupArrows(own, (file) => roomIn(parent, file)))).toEqual([]);
    },
  );

  it('has no circle of rooms in any folder of src, whose own files are one room of it', () => {
    const parents = new Set(filesOf('src').map((file) => dirname(dirname(file))));
    const circles = [...parents].map((parent) => {
      const nameOf = (file: string) => (isIn(parent, file) ? (roomIn(parent, file) ?? '.') : null);
      return [parent, circlesOf(groupArrows(own, nameOf))] as const;
    });
    const found = Object.fromEntries(circles.filter(([, each]) => each.length > 0));
    expect(found).toEqual(KNOWN_CIRCLES);
  });

  it('keeps the composition out of the features', () => {
    const wrong = core.filter(({ file, target }) => COMPOSITION.has(target) && !COMPOSITION.has(file));
    expect(wrong).toEqual([]);
  });

  it('keeps runtimes and driver packages out of the core', () => {
    const wrong = core.filter(
      ({ target }) =>
        RUNTIME_MODULE.test(target) ||
        (!isOwn(target) && target !== 'package.json' && !CORE_PACKAGES.has(packageOf(target))),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps time, chance and the network of the platform out of the core', () => {
    // The text of this file runs in a browser.
    const core = filesOf('src').filter((file) => file !== 'src/mcp/card/script.ts');
    const wrong = core.filter((file) =>
      /\bDate\.now\b|\bMath\.random\b|\brandomUUID\b|\bnew Date\(\)|\bsetTimeout\(|\b(await|return|void) fetch\(|[=(,:] ?fetch\(|globalThis\.fetch/.test(
        readFileSync(join(ROOT, file), 'utf8'),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('lets examples import their own files and packages only, as the programs of a reader do', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'examples/package.json'), 'utf8'));
    const imports = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .flatMap(({ name }) => filesOf(`examples/${name}`))
      .flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(10);
    const wrong = imports.filter(
      ({ target }) => !target.startsWith('examples/') && !Object.hasOwn(dependencies, packageOf(target)),
    );
    expect(wrong).toEqual([]);
  });

  it('reads the environment in adapters only', () => {
    const wrong = ['src', 'drivers', 'integrations']
      .flatMap(filesOf)
      .filter((file) =>
        /\bprocess\.env\b|\bimport\.meta\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')),
      );
    expect(wrong).toEqual([]);
  });
});

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

// The arrows of the house point down only. CONTRIBUTING.md has the map.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Which folders a folder may import from, besides itself. */
const ARROWS: Record<string, readonly string[]> = {
  'src/ports': [],
  'src/crypto': ['src/ports'],
  'src/egress': ['src/ports', 'src'],
  'src/audit': ['src/auth', 'src/ports', 'src'],
  'src/auth': ['src/crypto', 'src/ports', 'src'],
  'src/connections': ['src/egress', 'src/auth', 'src/crypto', 'src/ports', 'src'],
  'src/login': ['src/connections', 'src/egress', 'src/auth', 'src/crypto', 'src/ports', 'src'],
  'src/jots': ['src/auth', 'src/crypto', 'src/ports', 'src'],
  'src/tools': ['src/connections', 'src/auth', 'src/crypto', 'src/ports', 'src'],
  'src/proxy': ['src/tools', 'src/connections', 'src/egress', 'src/auth', 'src/ports', 'src'],
  'src/live-view': ['src/connections', 'src/auth', 'src/ports', 'src'],
  'src/catalog': ['src/tools', 'src/connections', 'src/auth', 'src/crypto', 'src/ports', 'src'],
  'src/mcp': ['src/tools', 'src/connections', 'src/auth', 'src/crypto', 'src/ports', 'src'],
  'src/rest': ['src/tools', 'src/connections', 'src/auth', 'src/crypto', 'src/ports', 'src'],
  'src/oauth': ['src/login', 'src/connections', 'src/egress', 'src/auth', 'src/crypto', 'src/ports', 'src'],
  drivers: ['src/ports'],
  integrations: [
    'src/kit/integration.ts',
    'src/kit/rest-rows.ts',
    'src/kit/payload.ts',
    'src/kit/graphql-rows.ts',
    'src/kit/binary.ts',
    'src/kit/manifest.ts',
  ],
  adapters: ['drivers', 'integrations', 'src'],
};
/** The files that only put things together: the roots of the core. */
const COMPOSITION = new Set(['src/app.ts', 'src/deps.ts', 'src/maintenance/sweep.ts']);
const PLATFORM_FREE = /^(node:|cloudflare:|bun:)/;
const CORE_PACKAGES = new Set(['hono', '@hono/zod-validator', 'zod', 'jose', 'modern-tar', 'oauth4webapi']);

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
      ? relative(ROOT, join(ROOT, dirname(file), specifier))
      : specifier;
    return { file, target, typeOnly: typeOnly !== undefined };
  });
}

function ruleOf(file: string): { home: string; allowed: readonly string[] } | null {
  const home = Object.keys(ARROWS).find((folder) => file.startsWith(`${folder}/`));
  return home === undefined ? null : { home, allowed: ARROWS[home] ?? [] };
}

const isInside = (target: string, folder: string) =>
  folder === 'src' ? /^src\/[^/]+\.ts$/.test(target) : target === folder || target.startsWith(`${folder}/`);

const isOwn = (target: string) => /^(src|drivers|integrations|adapters|portal|test)\//.test(target);

describe('the house', () => {
  const core = filesOf('src').flatMap(importsOf);
  const all = ['src', 'drivers', 'integrations', 'adapters'].flatMap(filesOf).flatMap(importsOf);

  it('finds the imports it judges', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(core).toContainEqual({ file: 'src/app.ts', target: 'hono', typeOnly: false });
  });

  it('lets arrows point down only', () => {
    const wrong = all.filter(({ file, target }) => {
      const rule = ruleOf(file);
      if (rule === null || !isOwn(target)) return false;
      const down = [rule.home, ...rule.allowed].some((folder) =>
        file.startsWith('adapters/') && folder === 'src'
          ? target.startsWith('src/')
          : isInside(target, folder),
      );
      return !down;
    });
    expect(wrong).toEqual([]);
  });

  it('keeps the composition out of the features, but for the type of what they are given', () => {
    const wrong = core.filter(
      ({ file, target, typeOnly }) => COMPOSITION.has(target) && !typeOnly && !COMPOSITION.has(file),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps runtimes and driver packages out of the core', () => {
    const wrong = core.filter(
      ({ target }) => PLATFORM_FREE.test(target) || (!isOwn(target) && !CORE_PACKAGES.has(packageOf(target))),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps drivers from each other', () => {
    const wrong = all.filter(({ file, target }) => {
      const [, port] = file.split('/');
      const [top, other] = target.split('/');
      // A pending store may stand on the SQL engine: it is the same database.
      return (
        file.startsWith('drivers/') &&
        top === 'drivers' &&
        other !== port &&
        !(port === 'pending' && other === 'sql')
      );
    });
    expect(wrong).toEqual([]);
  });

  it('keeps time, chance and the network of the platform out of the core', () => {
    const wrong = filesOf('src').filter((file) =>
      /\bDate\.now\b|\bMath\.random\b|\brandomUUID\b|\bnew Date\(\)|\bsetTimeout\(|\b(await|return|void) fetch\(|[=(,:] ?fetch\(|globalThis\.fetch/.test(
        readFileSync(join(ROOT, file), 'utf8'),
      ),
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

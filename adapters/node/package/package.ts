// Makes the package that `npm install` and `npx` take: the two builds, and a command that needs no other package. Node
// does not run TypeScript below node_modules, so there are no sources in it. decision: 006
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs'];

/** What package.json and the manifest of the package have in common. */
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean(),
  description: z.string(),
  license: z.string(),
  type: z.literal('module'),
  engines: z.object({ node: z.string() }),
  optionalDependencies: z.record(z.string(), z.string()),
});

interface Packing {
  /** The folder with `server` and `portal` that `npm run build` makes. */
  builds: string;
  /** The folder for the finished file. */
  destination: string;
}

/** Returns the path of the finished file. */
export async function makePackage({ builds, destination }: Packing): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    for (const build of ['server', 'portal'])
      await cp(join(builds, build), join(folder, 'dist', build), { recursive: true });
    renameCommands(join(folder, 'dist'));
    for (const page of PAGES) await cp(join(ROOT, page), join(folder, page), { recursive: true });
    const command = join(folder, 'bin/tool-gateway.mjs');
    await cp(join(import.meta.dirname, '../command.mjs'), command);
    await chmod(command, 0o755);
    await cp(join(import.meta.dirname, '../launch.mjs'), join(folder, 'bin/launch.mjs'));
    await buildClient(join(folder, 'client'));
    const manifest = describePackage();
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await run('npm', ['pack', '--pack-destination', destination, folder]);
    return join(destination, `${manifest.name}-${manifest.version}.tgz`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const run = promisify(execFile);

/** The client for service keys, as JavaScript and as types. decision: 069 */
async function buildClient(folder: string): Promise<void> {
  const source = join(import.meta.dirname, '../client/client.ts');
  const { code } = await transform(readFileSync(source, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
  });
  mkdirSync(folder);
  writeFileSync(join(folder, 'client.js'), code);
  const flags = [
    '--declaration',
    '--emitDeclarationOnly',
    '--target',
    'ES2022',
    '--lib',
    'ES2022,DOM',
    '--types',
    '',
  ];
  const options = ['--ignoreConfig', '--skipLibCheck', '--outDir', folder];
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, ...options, source]);
}

/** Leaves the dependencies out: the builds contain them. Only an old host needs the Node of an optional one. */
function describePackage() {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  return {
    ...manifest,
    bin: { [manifest.name]: 'bin/tool-gateway.mjs' },
    exports: {
      './client': { types: './client/client.d.ts', default: './client/client.js' },
      './package.json': './package.json',
    },
  };
}

/** Texts name the scripts of package.json, which the package has as commands: `npm run users -- list`. */
function renameCommands(dist: string): void {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  for (const file of files.map((name) => join(dist, name))) {
    const text = readFileSync(file, 'utf8');
    const renamed = text
      .replaceAll(/\bnpm run (?:--silent )?([a-z-]+)(?: --(?= ))?/g, 'tool-gateway $1')
      .replaceAll(/\bnpm start\b/g, 'tool-gateway');
    if (renamed !== text) writeFileSync(file, renamed);
  }
}

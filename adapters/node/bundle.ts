// Bundles the server into one file that needs no node_modules. `npm start` and the container run this file.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { describeThirdParty } from './third-party.ts';

const root = join(import.meta.dirname, '../..');
/** The engine of scripts, which the threads load at the first one. */
const QUICKJS = 'node_modules/quickjs-wasi/quickjs.wasm';
/** What the package of the engine holds itself, and does not name. */
const ENGINE_NOTICES = 'drivers/scripts/engine-notices.txt';

export async function bundle(outdir: string, plugins: Plugin[] = []): Promise<void> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'adapters/node/main.ts',
      gateway: 'adapters/node/gateway.ts',
      seed: 'adapters/node/seed.ts',
      link: 'adapters/node/link.ts',
      connections: 'adapters/node/connections.ts',
      users: 'adapters/node/users.ts',
      audit: 'adapters/node/audit.ts',
      channel: 'adapters/node/channel.ts',
      catalog: 'adapters/node/catalog.ts',
      backup: 'adapters/node/backup/backup.ts',
      restore: 'adapters/node/backup/restore.ts',
      'rotate-keys': 'adapters/node/rotate-keys.ts',
      'bcrypt-worker': 'drivers/hasher/bcrypt-worker.ts',
      'script-worker': 'drivers/scripts/script-worker.ts',
    },
    outdir,
    plugins,
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minifySyntax: true,
    // Takes out the comments. One character in them that is not Latin-1 makes the process hold the whole text with two bytes
    // for each character. Names stay, and the lines stay short enough for a stack trace.
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'none',
    // Packages in the CommonJS format call `require`, which an ES module does not have.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });

  const inputs = [...Object.keys(metafile.inputs), ...(await inputsOfPortal())];
  const { notices, bill } = describeThirdParty(root, inputs);
  const files = [
    ...outputFiles,
    { path: resolve(root, outdir, 'quickjs.wasm'), contents: readFileSync(join(root, QUICKJS)) },
    {
      path: resolve(root, outdir, 'THIRD-PARTY-NOTICES.txt'),
      contents: `${notices}\n${'-'.repeat(80)}\n\n${readFileSync(join(root, ENGINE_NOTICES), 'utf8')}`,
    },
    { path: resolve(root, outdir, 'sbom.cdx.json'), contents: bill },
  ];
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    // Renames the finished file into place, because another process may be starting from the same folder.
    const making = `${path}.${process.pid}`;
    writeFileSync(making, contents);
    renameSync(making, path);
  }
}

/** Vite builds the portal. Its files are the same here, where only their names count. */
async function inputsOfPortal(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['portal/main.tsx'],
    outdir: 'portal',
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'empty', '.woff2': 'empty', '.css': 'empty' },
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

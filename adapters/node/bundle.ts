// Bundles the server into one file that needs no node_modules. `npm start` and the container run this file.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '../..');

export async function bundle(outdir: string, plugins: Plugin[] = []): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'adapters/node/main.ts',
      seed: 'adapters/node/seed.ts',
      'rotate-keys': 'adapters/node/rotate-keys.ts',
      'bcrypt-worker': 'drivers/hasher/bcrypt-worker.ts',
    },
    outdir,
    plugins,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minifySyntax: true,
    legalComments: 'none',
    // Packages in the CommonJS format call `require`, which an ES module does not have.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });

  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // Renames the finished file into place, because another process may be starting from the same folder.
    const making = `${path}.${process.pid}`;
    writeFileSync(making, contents);
    renameSync(making, path);
  }
}

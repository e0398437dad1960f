// The server as a bundle that needs no node_modules: what the container runs.
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'adapters/node/main.ts',
    seed: 'adapters/node/seed.ts',
    'bcrypt-worker': 'drivers/hasher/bcrypt-worker.ts',
  },
  outdir: 'dist/server',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  minifySyntax: true,
  sourcemap: true,
  legalComments: 'none',
  // Packages in the old module format call require: a module has none of its own.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'info',
});

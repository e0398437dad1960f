// Bundles the Worker into one folder of modules: what is used late is a module of its own, and is compiled at its first use.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { withoutOperations, withoutTexts } from './without-texts.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The engine of scripts is null at the edge, so that nothing calls what runs them. */
const withoutScripts: Plugin = {
  name: 'without-scripts',
  load: {
    filter: { id: /\/src\/scripts\/(run-scripts|call-tool|sit)\.ts$/ },
    handler: () => `const never = () => { throw new TypeError('nothing runs scripts here'); };
      export { never as createCallTool, never as createRunScripts, never as createSit };`,
  },
};

/** Nothing names a schema of the database: its tables are found without. */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  load: {
    filter: { id: /\/kysely\/dist\/plugin\/with-schema\/with-schema-plugin\.js$/ },
    handler: () =>
      `export class WithSchemaPlugin { constructor() { throw new TypeError('nothing names a schema here'); } }`,
  },
};

/** Returns the path of the first module. Everything in the folder is uploaded, so it is emptied before. */
export async function bundleWorker(folder: string, input = 'adapters/workers/worker.ts'): Promise<string> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { worker: input },
    plugins: [withoutTexts, withoutOperations, withoutScripts, withoutSchemas],
    platform: 'neutral',
    // The platform has these modules itself.
    external: [/^node:/, /^cloudflare:/],
    resolve: {
      alias: { '@modelcontextprotocol/client/_shims': join(import.meta.dirname, 'mcp-shims.ts') },
      conditionNames: ['workerd', 'worker', 'browser', 'import'],
      mainFields: ['browser', 'module', 'main'],
    },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  rmSync(folder, { recursive: true, force: true });
  for (const file of output) {
    const path = join(folder, file.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.type === 'chunk' ? file.code : file.source);
  }
  return join(folder, 'worker.js');
}

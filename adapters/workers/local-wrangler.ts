// Starts wrangler for a Worker on this machine, with neither account nor network.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** The configuration that an operator copies. */
export const EXAMPLE = join(ROOT, 'wrangler.example.toml');

interface LocalWorker {
  config: string;
  port: number;
  /** Where workerd keeps D1 and R2. */
  folder: string;
  envFiles: readonly string[];
}

/**
 * Prepares the folder, and returns the files of variables for wrangler. Secrets go into a file, because every user of the
 * machine can read a command line.
 */
export function prepare(folder: string, vars: Readonly<Record<string, string>>): string[] {
  mkdirSync(folder, { recursive: true });
  // Wrangler needs the portal's folder to exist, built or not.
  mkdirSync(join(ROOT, 'dist/portal'), { recursive: true });
  // Otherwise wrangler asks the network for data that nothing here needs.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  const own = join(folder, 'vars');
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quoted(value)}\n`);
  writeFileSync(own, lines.join(''), { mode: 0o600 });
  // Node itself looks for the file that such an option names, and ends if it does not exist.
  return [join(ROOT, '.dev.vars'), own].filter((file) => existsSync(file));
}

/** Values have no escapes in such a file, but three kinds of quotes. */
function quoted(value: string): string {
  const quote = ["'", '`', '"'].find((mark) => !value.includes(mark)) ?? '';
  return `${quote}${value}${quote}`;
}

export function startWrangler({ config, port, folder, envFiles }: LocalWorker): ChildProcess {
  return spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/wrangler/bin/wrangler.js'),
      'dev',
      '--local',
      `--config=${config}`,
      `--port=${port}`,
      `--persist-to=${folder}`,
      ...envFiles.map((file) => `--env-file=${file}`),
    ],
    { stdio: 'inherit', cwd: ROOT },
  );
}

/** Ends this program with one message. */
export function refuse(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

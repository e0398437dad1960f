// Fills in wrangler.example.toml for a Worker on this machine.
import { dirname, join, relative } from 'node:path';

interface Places {
  /** The folder of the portal. */
  portal: string;
  /** The first module of the bundled Worker. */
  main: string;
  /** The folder of the configuration, if wrangler is to bundle the Worker, and again whenever a source was written. */
  bundledFrom?: string;
  /** The URL of a PostgreSQL behind Hyperdrive, which replaces D1. */
  postgres?: string | undefined;
}

const BUILD = /^# Wrangler runs it.*\n\[build\]\n(?:.+\n)+/m;
const SOURCES = ['src', 'integrations', 'drivers', 'adapters'];
const D1 = /^\[\[d1_databases\]\]\n(?:.+\n)+/m;

export function fillIn(example: string, { portal, main, bundledFrom, postgres }: Places): string {
  const filled = example
    .replace(BUILD, () => (bundledFrom === undefined ? '' : buildOf(main, bundledFrom)))
    .replace(/^main = .*/m, () => `main = ${JSON.stringify(main)}`)
    .replace('"./dist/portal"', () => JSON.stringify(portal));
  if (postgres === undefined) return filled;
  const place = new URL(postgres);
  // Hyperdrive requires a password, even if the database does not.
  if (place.password === '') place.password = 'none';
  const lines = ['[[hyperdrive]]', 'binding = "HYPERDRIVE"', 'id = "1"'];
  lines.push(`localConnectionString = ${JSON.stringify(place.href)}\n`);
  return filled.replace(D1, () => lines.join('\n'));
}

function buildOf(main: string, folder: string): string {
  const parts = [process.execPath, join(import.meta.dirname, 'build.ts'), dirname(main)];
  const command = parts.map((part) => JSON.stringify(part)).join(' ');
  const sources = SOURCES.map((name) => relative(folder, join(import.meta.dirname, '../..', name)));
  return `[build]\ncommand = ${JSON.stringify(command)}\nwatch_dir = ${JSON.stringify(sources)}\n`;
}

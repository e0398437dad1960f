// Fills in wrangler.example.toml for a Worker on this machine.
import { join } from 'node:path';
import { ROOT } from './local-wrangler.ts';

interface Places {
  /** The folder of the portal. */
  portal: string;
  /** The script of the Worker. */
  main?: string | undefined;
  /** The URL of a PostgreSQL behind Hyperdrive, which replaces D1. */
  postgres?: string | undefined;
}

const D1 = /^\[\[d1_databases\]\]\n(?:.+\n)+/m;

export function fillIn(
  example: string,
  { portal, main = 'adapters/workers/worker.ts', postgres }: Places,
): string {
  const filled = example
    .replace(/^main = .*/m, () => `main = ${JSON.stringify(join(ROOT, main))}`)
    .replace('"./dist/portal"', () => JSON.stringify(portal));
  if (postgres === undefined) return filled;
  const place = new URL(postgres);
  // Hyperdrive requires a password, even if the database does not.
  if (place.password === '') place.password = 'none';
  const lines = ['[[hyperdrive]]', 'binding = "HYPERDRIVE"', 'id = "1"'];
  lines.push(`localConnectionString = ${JSON.stringify(place.href)}\n`);
  return filled.replace(D1, () => lines.join('\n'));
}

// Fills in wrangler.example.toml for a Worker on this machine.

interface Places {
  /** The folder of the portal. */
  portal: string;
  /** The first module of the bundled Worker. */
  main: string;
  /** The URL of a PostgreSQL behind Hyperdrive, which replaces D1. */
  postgres?: string | undefined;
}

const BUILD = /^# Wrangler runs it.*\n\[build\]\n(?:.+\n)+/m;
const D1 = /^\[\[d1_databases\]\]\n(?:.+\n)+/m;

export function fillIn(example: string, { portal, main, postgres }: Places): string {
  const filled = example
    .replace(BUILD, '')
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

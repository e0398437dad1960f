// npm run link -- [--email you@example.com]: prints a fresh portal link for the owner or another person, also while the
// server runs. It makes no second gateway where there is none. decision: 104
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config/config.ts';
import { createDeps } from '../../src/deps.ts';
import { portalLink, readEmail, sessionOf } from './owner.ts';
import { openPorts } from './ports.ts';
import { localSecret, secretFile } from './secrets.ts';

const USAGE = 'usage: npm run link -- [--email you@example.com]';

async function link(): Promise<void> {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return console.log(USAGE);
  const email = values.email === undefined ? undefined : readEmail(values.email, USAGE);
  const config = readConfig(process.env, keptSecret);
  const { DATABASE_URL: database } = config;
  if (database.kind === 'sqlite' && !existsSync(database.path)) throw noGateway(database.path);
  const ports = await openPorts(config, process.stderr);
  try {
    console.log(portalLink(config, await sessionOf(await createDeps(ports), email)));
  } finally {
    await ports.close();
  }
}

// A link that is signed with a new secret would open nothing.
function keptSecret(name: 'SESSION_SECRET' | 'ENCRYPTION_KEY', dataDir: string): string {
  const file = join(dataDir, secretFile(name));
  if (!existsSync(file)) throw noGateway(file);
  return localSecret(name, dataDir);
}

function noGateway(missing: string): Error {
  return new Error(
    `${missing} does not exist, so no gateway has started here. Start it first. Do DATA_DIR and DATABASE_URL match your gateway's?`,
  );
}

try {
  await link();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

// npm run link -- [--email you@example.com]: prints a fresh portal link for the owner or another person, also while the
// server runs. It makes no second gateway where there is none. decision: 015
import { parseArgs } from 'node:util';
import { createDeps } from '../../src/deps.ts';
import { readExistingConfig } from './existing-gateway.ts';
import { portalLink, readEmail, sessionOf } from './owner.ts';
import { openPorts } from './ports.ts';

const USAGE = 'usage: npm run link -- [--email you@example.com]';

async function link(): Promise<void> {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return console.log(USAGE);
  const email = values.email === undefined ? undefined : readEmail(values.email, USAGE);
  const config = readExistingConfig(process.env);
  const ports = await openPorts(config, { logTo: process.stderr });
  try {
    console.log(portalLink(config, await sessionOf(await createDeps(ports), email)));
  } finally {
    await ports.close();
  }
}

try {
  await link();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

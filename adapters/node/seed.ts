// npm run seed -- [--email you@example.com] [--json] [--force]: creates a user with a key, also while the
// server runs. Without --email it is the owner.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReadRole } from '../../src/auth/role.ts';
import { OWNER_EMAIL } from '../../src/ports/records.ts';
import { createDeps } from '../../src/deps.ts';
import { enabledProviders } from '../../src/login/providers.ts';
import { refuseWorkerFolder } from './existing-gateway.ts';
import { portalLink, readEmail, seedUser } from './owner.ts';
import { openPorts } from './ports.ts';
import { readNodeConfig } from './secret-files.ts';
import { localSecret } from './secrets.ts';

const USAGE = 'usage: npm run seed -- [--email you@example.com] [--json] [--force]';

async function seed(): Promise<void> {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      json: { type: 'boolean' },
      force: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(USAGE);
  const email = values.email === undefined ? OWNER_EMAIL : readEmail(values.email, USAGE);
  // Writes no secret into the folder of a Worker.
  refuseWorkerFolder(readNodeConfig(process.env, () => '0'.repeat(64)));
  const config = readNodeConfig(process.env, localSecret);
  const hasSignInProvider = enabledProviders(config).length > 0;
  if (hasSignInProvider && values.force !== true) {
    throw new Error(
      'A sign-in provider is set up, so people sign in there. Add --force to create a user anyway.',
    );
  }
  const { DATABASE_URL: database } = config;
  // A data folder that does not exist yet is only a warning: it may be seeded before its first start. The
  // warning goes to stderr, because scripts read stdout.
  if (database.kind === 'sqlite' && !existsSync(database.path))
    console.error(
      `${database.path} did not exist, so this starts a new gateway. Do DATA_DIR and DATABASE_URL match your gateway's?`,
    );
  const ports = await openPorts(config, { logTo: process.stderr });
  try {
    const seeded = await seedUser(await createDeps(ports), email);
    if (values.json === true) return console.log(JSON.stringify(seeded));
    const user = await ports.store.users.byId(seeded.userId);
    const role = user === null ? 'deleted' : createReadRole(hasSignInProvider)(user);
    console.log(
      `Portal   ${portalLink(config, seeded.session)}\nAPI key  ${seeded.apiKey}\nRole     ${role}`,
    );
  } finally {
    await ports.close();
  }
}

try {
  await seed();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

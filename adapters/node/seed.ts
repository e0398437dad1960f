// npm run seed -- --email you@example.com [--json] [--force]: a user with a key, also while the server runs.
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ConfigError } from '../../src/config-error.ts';
import { readConfig } from '../../src/config.ts';
import { createDeps } from '../../src/deps.ts';
import { enabledProviders } from '../../src/login/providers.ts';
import { portalLink, seedUser } from './owner.ts';
import { openPorts } from './ports.ts';
import { localSecret } from './secrets.ts';

const USAGE = 'usage: npm run seed -- --email you@example.com [--json] [--force]';

async function seed(): Promise<void> {
  const { email, json, force } = readArguments();
  const config = readConfig(process.env, localSecret);
  if (enabledProviders(config).length > 0 && !force) {
    throw new Error(
      'A sign-in provider is enabled: people sign in with it. Add --force to make a user all the same.',
    );
  }
  const ports = await openPorts(config);
  try {
    const seeded = await seedUser(await createDeps(ports), email);
    console.log(
      json
        ? JSON.stringify(seeded)
        : `Portal   ${portalLink(config, seeded.session)}\nAPI key  ${seeded.apiKey}`,
    );
  } finally {
    await ports.close();
  }
}

function readArguments(): { email: string; json: boolean; force: boolean } {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, json: { type: 'boolean' }, force: { type: 'boolean' } },
  });
  const email = z.email().safeParse(values.email?.trim().toLowerCase());
  if (!email.success) throw new Error(`--email must be an e-mail address\n${USAGE}`);
  return { email: email.data, json: values.json === true, force: values.force === true };
}

try {
  await seed();
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof Error;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
}

// Reads the configuration for a command that works on a gateway that exists, and makes no second one. decision: 015
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { readNodeConfig } from './secret-files.ts';
import { localSecret, secretFile } from './secrets.ts';

export function readExistingConfig(env: NodeJS.ProcessEnv): Config {
  const config = readNodeConfig(env, existingSecret);
  const { DATABASE_URL: database } = config;
  if (database.kind === 'sqlite' && !existsSync(database.path)) throw noGateway(database.path);
  return config;
}

// A link that is signed with a new secret would open nothing, and a new key opens no credential.
function existingSecret(name: Parameters<typeof secretFile>[0], dataDir: string): string {
  const file = join(dataDir, secretFile(name));
  // A gateway of 0.1 has no such key until it starts again.
  if (name === 'AUDIT_SIGNING_KEY' && !existsSync(file)) return '';
  if (!existsSync(file)) throw noGateway(file);
  return localSecret(name, dataDir);
}

function noGateway(missing: string): Error {
  return new Error(
    `${missing} does not exist, so no gateway has started here. Start it first. Do DATA_DIR and DATABASE_URL match your gateway's?`,
  );
}

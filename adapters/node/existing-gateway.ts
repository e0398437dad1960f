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

/** Refuses to make a second gateway beside the database of a Worker, which no command of Node reaches. */
export function refuseWorkerFolder({ DATA_DIR, DATABASE_URL: database }: Config): void {
  if (database.kind !== 'sqlite' || existsSync(database.path)) return;
  // wrangler keeps D1 in `v3`, and `npm run dev:worker` keeps that in `worker`.
  const folder = [join(DATA_DIR, 'worker'), DATA_DIR].find((path) => existsSync(join(path, 'v3/d1')));
  if (folder === undefined) return;
  throw new Error(
    `${folder} has the database of a Worker, which this command cannot reach. It would make a second gateway that the Worker does not know. "npm run dev:worker" prints a portal link of the owner at each start; other people sign in with a provider. For a Node gateway in ${DATA_DIR} run "npm start" first.`,
  );
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

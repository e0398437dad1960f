// npm run rotate-keys: seals everything that is stored again under a new ENCRYPTION_KEY, while the gateway
// serves.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Rotation, rotateKeys } from '../../src/maintenance/rotate-keys.ts';
import { type Config, requireHexKey } from '../../src/config/config.ts';
import { renewDataKey } from '../../src/crypto/data-keys.ts';
import { createSeal } from '../../src/crypto/seal.ts';
import { FEATURES } from '../../src/features.ts';
import { openKeyService } from './outside-keys.ts';
import { openPorts } from './ports.ts';
import { readNodeConfig } from './secret-files.ts';
import { localSecret } from './secrets.ts';

const USAGE = `usage: npm run rotate-keys

Seals everything that is stored again under a new key. It needs the gateway's own environment, with

  ENCRYPTION_KEY            the new key, for example from "openssl rand -hex 32"
  ENCRYPTION_KEY_PREVIOUS   the key until now

1. Start the gateway, every process of it, with both keys. It reads both and writes with the new one.
2. Run this with the same environment, while the gateway serves. Run it again if something stops it, or
   to be sure: what is done is skipped.
3. Start the gateway without ENCRYPTION_KEY_PREVIOUS. Whole results that agents may still read with
   read_result are not sealed again; they live for an hour, so wait that long if they matter.

Where ENCRYPTION_KEY is vault:<mount>/<key> or awskms:<key>, the data key is wrapped by the newest version of that key
as well. Without ENCRYPTION_KEY_PREVIOUS nothing else is done. A number behind the name, as in
vault:transit/gateway#2, makes another data key under the same key.

On your own machine the gateway has made its key itself and keeps it in DATA_DIR/encryption-key. Stop it there, and:

  mv data/encryption-key data/encryption-key.old
  export ENCRYPTION_KEY_PREVIOUS=$(cat data/encryption-key.old)
  npm start              (makes a new data/encryption-key)
  npm run rotate-keys    (in another terminal, after the same export)

and then start the gateway without ENCRYPTION_KEY_PREVIOUS, and delete the old file.`;

const SECOND = 1000;
const CLEAR = '\r\u001b[K';

async function rotate(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) return console.log(USAGE);
  const config = readNodeConfig(process.env, keptSecret);
  const { ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: previous } = config;
  if (previous === undefined && typeof key === 'string') {
    throw new Error(`ENCRYPTION_KEY_PREVIOUS must be set to the current key\n\n${USAGE}`);
  }
  if (sourceOf(key) === sourceOf(previous)) {
    throw new Error(
      'ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS are the same: ENCRYPTION_KEY must be a new key',
    );
  }
  const ports = await openPorts(config, { logTo: process.stderr });
  try {
    if (typeof key === 'object') {
      await renewDataKey(key, { store: ports.store, service: openKeyService(key, config, ports) });
      console.log(`The data key is wrapped by the newest version of ${key.source}.`);
    }
    const { ENCRYPTION_KEY: next, ENCRYPTION_KEY_PREVIOUS: former } = ports.config;
    if (former === undefined) return;
    const seal = await createSeal([requireHexKey(next), requireHexKey(former)], ports.random);
    const rotation = await rotateKeys({ ...ports, seal, features: FEATURES }, createProgress());
    console.log(summary(rotation));
    if (rotation.unreadable.length > 0) process.exitCode = 1;
  } finally {
    await ports.close();
  }
}

const sourceOf = (key: Config['ENCRYPTION_KEY'] | undefined) => (typeof key === 'object' ? key.source : key);

// A secret that is created here would differ from the gateway's. This command signs nothing.
function keptSecret(
  name: 'SESSION_SECRET' | 'ENCRYPTION_KEY' | 'AUDIT_SIGNING_KEY',
  dataDir: string,
): string {
  if (name !== 'ENCRYPTION_KEY') return '';
  if (existsSync(join(dataDir, 'encryption-key'))) return localSecret(name, dataDir);
  throw new Error(
    `ENCRYPTION_KEY must be set to the new key. ${join(dataDir, 'encryption-key')} does not exist either\n\n${USAGE}`,
  );
}

/** Overwrites one line on a terminal; elsewhere prints a line per second. */
function createProgress(): (progress: Readonly<Rotation>) => void {
  let last = -Infinity;
  return ({ resealed, alreadyCurrent, unreadable }) => {
    const now = performance.now();
    if (now - last < (process.stdout.isTTY ? SECOND / 10 : SECOND)) return;
    last = now;
    const line = `${resealed} sealed again, ${alreadyCurrent} under the new key before, ${unreadable.length} unreadable`;
    process.stdout.write(process.stdout.isTTY ? `${CLEAR}${line}` : `${line}\n`);
  };
}

function summary({ resealed, alreadyCurrent, unreadable }: Rotation): string {
  const readable = resealed + alreadyCurrent;
  const lines: string[] = [];
  if (readable + unreadable.length === 0) {
    lines.push("Nothing is stored here. Do DATA_DIR and DATABASE_URL match the gateway's?");
  } else if (resealed === 0 && unreadable.length === 0) {
    lines.push(`Nothing to do. Already under the new key: ${values(alreadyCurrent)}.`);
  } else {
    lines.push(`Sealed again under the new key: ${values(resealed)}. Already under it: ${alreadyCurrent}.`);
  }
  if (unreadable.length > 0) lines.push(...troubles(readable, unreadable));
  if (readable > 0)
    lines.push('Nothing needs the old key any more: start the gateway without ENCRYPTION_KEY_PREVIOUS.');
  return `${process.stdout.isTTY ? CLEAR : ''}${lines.join('\n')}`;
}

function troubles(readable: number, unreadable: Rotation['unreadable']): string[] {
  type Place = Rotation['unreadable'][number];
  const isKey = ({ integration }: Place) => integration === '';
  const isImport = ({ column }: Place) => column === 'import';
  const isClient = (place: Place) => place.userId === '' && !isImport(place);
  const lines = [
    `Neither key opens these values, so they were left unchanged: ${values(unreadable.length)}.`,
    ...unreadable.map(
      ({ userId, integration, column }) => `  ${[userId, integration, column].filter(Boolean).join('  ')}`,
    ),
  ];
  if (readable === 0)
    lines.push('ENCRYPTION_KEY_PREVIOUS opens nothing. Is it really the key that was used so far?');
  if (unreadable.some(isClient))
    lines.push('An administrator has to enter the OAuth clients of these integrations again.');
  if (unreadable.some(isImport)) lines.push('These imports have to be deleted and added again.');
  if (!unreadable.every((place) => isKey(place) || isClient(place) || isImport(place)))
    lines.push('These people have to reconnect the integrations listed beside them.');
  if (unreadable.some(isKey))
    lines.push('API keys keep working. To see a key again, these people have to create a new one.');
  return lines;
}

const values = (count: number) => (count === 1 ? '1 value' : `${count} values`);

try {
  await rotate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

// npm run audit -- verify|key: checks the audit log of a gateway, also while it runs, and prints the key that does it.
// docs/audit.md
import { existsSync, readdirSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { readGivenHeads } from '../../src/record/sealing/given-heads.ts';
import { importAuditKey, type PublicAuditKey, readPublicKey } from '../../src/record/sealing/key.ts';
import { type Verified, verifyAudit } from '../../src/record/sealing/verify.ts';
import type { Config } from '../../src/config/config.ts';
import { database } from '../../src/config/config-fields.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { readExistingConfig } from './existing-gateway.ts';
import { openEngine } from './chosen-drivers.ts';

const USAGE = `usage: npm run audit -- <command>

  verify  [--database <DATABASE_URL>]   checks every sealed row of the audit log
          [--keys <file or key>]        trusts these public keys: a file with one a line, or ed25519:…
          [--heads <file or folder>]    compares with heads that were kept elsewhere: lines of JSON, also a log
          [--json]
  key                                   prints the public key of AUDIT_SIGNING_KEY

Without --database and --keys it needs the environment of the gateway. --keys may be given several times, and then
only those keys are trusted. The exit status of verify is 0 when everything fits, and 1 when something does not.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      keys: { type: 'string', multiple: true, default: [] },
      heads: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(USAGE);
  const [command, ...more] = positionals;
  if (more.length > 0) throw new Error(USAGE);
  switch (command) {
    case 'key':
      return console.log((await ownKey(readExistingConfig(process.env))).publicKey);
    case 'verify':
      return verify(values);
    default:
      throw new Error(USAGE);
  }
}

interface Asked {
  database?: string | undefined;
  keys: string[];
  heads: string[];
  json: boolean;
}

async function verify(asked: Asked): Promise<void> {
  const keys = await readKeys(asked.keys);
  const digest = createNodeDigest();
  const heads = await readGivenHeads(linesOf(asked.heads), keys, digest);
  const engine = await openEngine({ DATABASE_URL: findDatabase(asked.database) });
  try {
    const verified = await verifyAudit(
      { clock: createSystemClock(), digest, store: createSqlStore(engine) },
      keys,
      heads,
    );
    console.log(asked.json ? JSON.stringify({ ok: isRight(verified), ...verified }) : show(verified));
    if (!isRight(verified)) process.exitCode = 1;
  } finally {
    await engine.close();
  }
}

const isRight = ({ problems }: Verified): boolean => problems.length === 0;

async function ownKey({ AUDIT_SIGNING_KEY }: Pick<Config, 'AUDIT_SIGNING_KEY'>): Promise<PublicAuditKey> {
  if (AUDIT_SIGNING_KEY === undefined)
    throw new Error('AUDIT_SIGNING_KEY is not set, and no key is in DATA_DIR: this gateway seals nothing');
  return importAuditKey(AUDIT_SIGNING_KEY);
}

async function readKeys(given: readonly string[]): Promise<PublicAuditKey[]> {
  if (given.length === 0) return [await ownKey(readExistingConfig(process.env))];
  const keys: PublicAuditKey[] = [];
  for (const place of given) {
    const text = place.startsWith('ed25519:') ? place : await readFile(place, 'utf8');
    for (const line of text.split('\n').map((each) => each.trim())) {
      if (line === '' || line.startsWith('#')) continue;
      const key = await readPublicKey(line);
      if (key === null)
        throw new Error(`${line.slice(0, 60)} is no public key. "npm run audit -- key" prints one`);
      keys.push(key);
    }
  }
  return keys;
}

function findDatabase(given: string | undefined): Config['DATABASE_URL'] {
  if (given === undefined) return readExistingConfig(process.env).DATABASE_URL;
  const parsed = database.safeParse(given);
  if (!parsed.success) throw new Error(`--database ${parsed.error.issues[0]?.message ?? 'is wrong'}`);
  const { data } = parsed;
  if (data.kind === 'sqlite' && !existsSync(data.path)) throw new Error(`${data.path} does not exist`);
  return data;
}

async function* linesOf(places: readonly string[]): AsyncGenerator<string> {
  const files = places.flatMap((place) =>
    statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name))
      : [place],
  );
  for (const path of files) {
    if (!statSync(path).isFile()) continue;
    const file = await open(path);
    yield* file.readLines();
  }
}

function show(verified: Verified): string {
  const { segments, rows, prunedSegments, prunedRows, erasedRows, heads, problems, moreProblems } = verified;
  const lines = [
    `${count(segments, 'segment')}, ${count(rows, 'row')} checked`,
    ...(prunedSegments > 0
      ? [`${count(prunedSegments, 'segment')} pruned, with ${count(prunedRows, 'row')}`]
      : []),
    ...(erasedRows > 0 ? [`${count(erasedRows, 'row')} of deleted people, erased by the gateway`] : []),
    ...(heads > 0 ? [`compared with ${count(heads, 'head')}`] : []),
    showUnsealed(verified),
    ...problems.map(({ text }) => `WRONG: ${text}`),
    ...(moreProblems > 0 ? [`WRONG: and ${moreProblems} more`] : []),
    ...(problems.some(({ kind }) => kind === 'unknown-key') ? [CHANGED_KEY] : []),
    isRight(verified) ? 'Everything fits.' : 'The audit log is not as it was sealed.',
  ];
  return lines.join('\n');
}

const CHANGED_KEY = 'Was AUDIT_SIGNING_KEY changed? Then give the former public key too: --keys <file>';

function showUnsealed({ unsealedRows, unsealedSince }: Verified): string {
  if (unsealedSince === null) return 'Every row is sealed';
  const since = new Date(unsealedSince * 1000).toISOString().slice(0, 16).replace('T', ' ');
  return `${count(unsealedRows, 'row')} not sealed yet, the oldest of ${since} UTC`;
}

const count = (number: number, what: string): string =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;

try {
  await main();
} catch (error) {
  const isOurs = !(error instanceof DriverFailure || error instanceof Unavailable);
  const text = error instanceof Error ? error.message : String(error);
  console.error(isOurs ? text : `The database cannot be read: ${text}`);
  process.exitCode = 1;
}

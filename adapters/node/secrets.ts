// The secrets of a gateway on a person's own machine: created once, stored beside its data, readable only by
// the owner.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { using } from './paths.ts';

const FILES = {
  SESSION_SECRET: 'session-secret',
  ENCRYPTION_KEY: 'encryption-key',
  AUDIT_SIGNING_KEY: 'audit-signing-key',
};

export const secretFile = (name: keyof typeof FILES): string => FILES[name];

export function localSecret(name: keyof typeof FILES, dataDir: string): string {
  const file = join(dataDir, FILES[name]);
  const secret = using(`${dataDir} of DATA_DIR`, () => {
    mkdirSync(dataDir, { recursive: true });
    if (!existsSync(file)) offer(file, randomBytes(32).toString('hex'));
    return readFileSync(file, 'utf8').trim();
  });
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new Error(`${file} does not contain 64 hex characters. Restore it, or delete it to start over.`);
}

// Links the finished file to its name without replacing an existing one, so processes that start together all
// read the first.
function offer(file: string, secret: string): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, secret, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'EEXIST') return;
    throw new Error(`${file} cannot be made: ${error.message}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

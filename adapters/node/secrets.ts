// Secrets of a gateway on a person's own machine: made once, kept beside its data, readable by its owner only.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = { SESSION_SECRET: 'session-secret', ENCRYPTION_KEY: 'encryption-key' };

export function localSecret(name: keyof typeof FILES, dataDir: string): string {
  const file = join(dataDir, FILES[name]);
  mkdirSync(dataDir, { recursive: true });
  try {
    // Only the process that creates the file writes it: of several that start together all read the same secret.
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw new Error(
    `${file} does not hold 64 hex characters. Put the right ones back, or delete it to start anew.`,
  );
}

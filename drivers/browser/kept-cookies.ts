// Keeps the persistent cookies of a profile in a file: a part of a browser elsewhere has them in memory only. decision: 073
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Send } from './connection.ts';
import { asGiven } from './session.ts';

const fileIn = (profile: string): string => join(profile, 'cookies.json');

/** Session cookies end with the session. */
export async function keepCookies(profile: string, browser: Send): Promise<void> {
  const { cookies } = await browser('Storage.getCookies', {});
  const lasting = cookies.filter(({ session }) => !session);
  await mkdir(profile, { recursive: true, mode: 0o700 });
  const draft = `${fileIn(profile)}.new`;
  await writeFile(draft, JSON.stringify(lasting), { mode: 0o600 });
  await rename(draft, fileIn(profile));
}

export async function restoreCookies(profile: string, browser: Send): Promise<void> {
  const text = await readFile(fileIn(profile), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '[]';
    throw error;
  });
  // Only `keepCookies` writes the file.
  const kept = JSON.parse(text) as Awaited<ReturnType<typeof readCookies>>;
  const cookies = kept.map(({ name, value, domain, path, expires, secure, httpOnly, ...others }) => {
    const { sameSite, priority, sourceScheme, sourcePort, partitionKey } = others;
    return {
      ...asGiven({ name, value, domain, path, expires, secure, httpOnly }),
      priority,
      sourceScheme,
      sourcePort,
      ...(sameSite === undefined ? {} : { sameSite }),
      ...(partitionKey === undefined ? {} : { partitionKey }),
    };
  });
  if (cookies.length > 0) await browser('Storage.setCookies', { cookies });
}

const readCookies = async (browser: Send) => (await browser('Storage.getCookies', {})).cookies;

// Notices a wrong ENCRYPTION_KEY at start, by a known text that the store keeps sealed. reference: Secrets at rest
import { placeOfKey } from '../auth/api-keys.ts';
import { COOKIE_SENTINEL } from '../connections/vault.ts';
import type { Place, Seal } from '../crypto/seal.ts';
import { describe } from '../http/errors.ts';
import type { Ports } from '../ports/ports.ts';

const KNOWN_TEXT = 'the encryption key of this gateway';
const PLACE: Place = ['', '', 'key_check'];
/** The stored values that are tried where there is no sealed text yet: a damaged one must not decide. */
const SAMPLE_ROWS = 20;

const CURE =
  'Set the key that was used until now as ENCRYPTION_KEY_PREVIOUS, or make it ENCRYPTION_KEY again. ' +
  'Until then nobody can use the connections that were made under it.';

type Needs = Pick<Ports, 'store'> & { seal: Seal };

/** Logs an error when no configured key opens what the store keeps. The gateway serves all the same. decision: 085 */
export async function checkKey({ log, ...deps }: Needs & Pick<Ports, 'log'>): Promise<void> {
  try {
    if (!(await isRightKey(deps)))
      log.write('error', 'ENCRYPTION_KEY is not the key of this database', { cure: CURE });
  } catch (error) {
    log.write('error', 'ENCRYPTION_KEY could not be checked', describe(error));
  }
}

async function isRightKey({ store, seal }: Needs): Promise<boolean> {
  const sealed = await store.keyCheck.read();
  if (sealed !== null) return (await seal.open(sealed, PLACE)) === KNOWN_TEXT;
  // The first start, or the first one after 0.1, which stored no such text.
  if (!(await opensSample({ store, seal }))) return false;
  await store.keyCheck.swap(null, await seal.seal(KNOWN_TEXT, PLACE));
  return true;
}

/** Also true when nothing is stored. */
async function opensSample({ store, seal }: Needs): Promise<boolean> {
  const keys = await store.users.pageOfSealedKeys(null, SAMPLE_ROWS);
  const connections = await store.connections.page(null, SAMPLE_ROWS);
  const samples: { text: string | null; place: Place }[] = [
    ...keys.map(({ id, api_key_ciphertext }) => ({ text: api_key_ciphertext, place: placeOfKey(id) })),
    ...connections.flatMap(({ user_id, integration, access_token, cookies }) => [
      {
        text: access_token === COOKIE_SENTINEL ? null : access_token,
        place: [user_id, integration, 'access_token'] as const,
      },
      { text: cookies, place: [user_id, integration, 'cookies'] as const },
    ]),
  ];
  const sealed = samples.flatMap(({ text, place }) => (text === null ? [] : [{ text, place }]));
  if (sealed.length === 0) return true;
  for (const { text, place } of sealed) if ((await seal.open(text, place)) !== null) return true;
  return false;
}

/**
 * Seals the known text again under the current key. A text that no key opens is replaced only when every stored value
 * opens: the lost key is not needed any more.
 */
export async function renewKeyCheck({ store, seal }: Needs, opensAll: boolean): Promise<void> {
  const seen = await store.keyCheck.read();
  if (seen === null || seal.isCurrent(seen)) return;
  if (!opensAll && (await seal.open(seen, PLACE)) === null) return;
  await store.keyCheck.swap(seen, await seal.seal(KNOWN_TEXT, PLACE));
}

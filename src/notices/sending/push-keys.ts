// The keys with which this gateway names itself to push services. They are drawn once, and sealed in the store.
import { base64url, importJWK, type JWK } from 'jose';
import type { Place, Seal } from '../../crypto/seal.ts';
import { parseJson } from '../../json/json.ts';
import type { SealedRow } from '../../kit/sealed-row.ts';
import type { OutboxKey } from '../../ports/outbox.ts';
import type { Ports } from '../../ports/ports.ts';

export interface PushKeys {
  privateKey: CryptoKey;
  /** The point of the curve, as browsers take it. */
  publicKey: string;
}

const ID = 'push';
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };
export const placeOfKey = (id: string): Place => ['', '', `outbox key:${id}`];

export type ReadPushKeys = () => Promise<PushKeys>;

export function createPushKeys({ seal, store }: Pick<Ports, 'store'> & { seal: Seal }): ReadPushKeys {
  let keys: Promise<PushKeys> | undefined;

  async function read(): Promise<PushKeys> {
    const { sealed } = (await store.outbox.keys.get(ID)) ?? (await make());
    const text = await seal.open(sealed, placeOfKey(ID));
    if (text === null)
      throw new TypeError('the keys of push notices cannot be opened: set the former ENCRYPTION_KEY again');
    // Only `make` writes this text.
    const jwk = parseJson(text) as JWK;
    const privateKey = await importJWK(jwk, 'ES256');
    if (!(privateKey instanceof CryptoKey) || jwk.x === undefined || jwk.y === undefined)
      throw new TypeError('the keys of push notices are damaged');
    const point = [4, ...base64url.decode(jwk.x), ...base64url.decode(jwk.y)];
    return { privateKey, publicKey: base64url.encode(new Uint8Array(point)) };
  }

  /** One of any number of processes stores its key, and all use it. */
  async function make(): Promise<OutboxKey> {
    const pair = await crypto.subtle.generateKey(CURVE, true, ['sign']);
    const jwk = await crypto.subtle.exportKey('jwk', pair.privateKey);
    return store.outbox.keys.make({ id: ID, sealed: await seal.seal(JSON.stringify(jwk), placeOfKey(ID)) });
  }

  return () =>
    (keys ??= read().catch((error: unknown) => {
      keys = undefined;
      throw error;
    }));
}

export async function* sealedKeys({
  store: {
    outbox: { keys },
  },
}: Pick<Ports, 'store'>): AsyncGenerator<readonly SealedRow[], void, undefined> {
  const rows = await keys.list();
  yield rows.map(({ id, sealed }) => ({
    values: [{ text: sealed, place: placeOfKey(id) }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && keys.swapSealed(id, sealed, next),
    // Nothing else writes it.
    again: async () => null,
  }));
}

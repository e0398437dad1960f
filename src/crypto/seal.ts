// Encrypts at rest with AES-256-GCM. A sealed text names its key and is bound to the place it is stored in.
import { base64url } from 'jose';
import type { Random } from '../ports/random.ts';
import { fromHex, toHex } from './encoding.ts';

const IV_BYTES = 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The place of a sealed text. A text that was moved to another row or column does not open. */
export type Place = readonly [userId: string, integration: string, column: string];

export interface Seal {
  seal(text: string, place: Place): Promise<string>;
  /** Returns null when no key opens it: another key, another place, or damage. */
  open(sealed: string, place: Place): Promise<string | null>;
  /** Tells whether the text names the key that seals now. */
  isCurrent(sealed: string): boolean;
}

interface Key {
  id: string;
  key: CryptoKey;
}

export async function createSeal(hexKeys: readonly [string, ...string[]], random: Random): Promise<Seal> {
  const [current, ...previous] = await Promise.all(hexKeys.map(importKey));
  if (current === undefined) throw new TypeError('a seal needs a key');
  const keys = new Map([current, ...previous].map(({ id, key }) => [id, key]));

  return {
    isCurrent: (sealed) => sealed.startsWith(`v1.${current.id}.`),

    async seal(text, place) {
      const iv = random.bytes(IV_BYTES);
      const sealed = await crypto.subtle.encrypt(parameters(iv, place), current.key, encoder.encode(text));
      const bytes = new Uint8Array(IV_BYTES + sealed.byteLength);
      bytes.set(iv);
      bytes.set(new Uint8Array(sealed), IV_BYTES);
      return `v1.${current.id}.${base64url.encode(bytes)}`;
    },

    async open(sealed, place) {
      const [version, id, payload] = sealed.split('.');
      const key = id === undefined ? undefined : keys.get(id);
      if (version !== 'v1' || key === undefined || payload === undefined) return null;
      try {
        const bytes = base64url.decode(payload);
        const opened = await crypto.subtle.decrypt(
          parameters(bytes.slice(0, IV_BYTES), place),
          key,
          bytes.slice(IV_BYTES),
        );
        return decoder.decode(opened);
      } catch {
        return null;
      }
    },
  };
}

function parameters(iv: Uint8Array<ArrayBuffer>, place: Place): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: encoder.encode(JSON.stringify(place)) };
}

async function importKey(hex: string): Promise<Key> {
  const bytes = fromHex(hex);
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(`service key id ${hex}`));
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  return { id: toHex(new Uint8Array(digest)).slice(0, 8), key };
}

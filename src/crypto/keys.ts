// Opens the keys of the configuration, once: WebCrypto imports keys only asynchronously.
import { type Config, requireHexKey } from '../config/config.ts';
import type { Random } from '../ports/random.ts';
import { createSeal, type Seal } from './seal.ts';
import { deriveSigningKey, importSigningKey } from './signing-key.ts';

/** The purpose of the key of curl-session tokens, and their issuer and audience. */
export const CURL_TOKENS = 'service-curl';

export interface Keys {
  seal: Seal;
  /** SESSION_SECRET. */
  signingKey: CryptoKey;
  /** A key of its own keeps every other token from passing as a curl-session token. */
  curlKey: CryptoKey;
}

type Secrets = Pick<Config, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'SESSION_SECRET'>;

export async function openKeys(config: Secrets, random: Random): Promise<Keys> {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS, SESSION_SECRET } = config;
  const previous = ENCRYPTION_KEY_PREVIOUS === undefined ? [] : [ENCRYPTION_KEY_PREVIOUS];
  const [seal, signingKey, curlKey] = await Promise.all([
    createSeal([requireHexKey(ENCRYPTION_KEY), ...previous.map(requireHexKey)], random),
    importSigningKey(SESSION_SECRET),
    deriveSigningKey(SESSION_SECRET, CURL_TOKENS),
  ]);
  return { seal, signingKey, curlKey };
}

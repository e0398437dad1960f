// The key that signs the segments of the audit log: Ed25519, and never in the database. RFC 8032; decision: 039
import { base64url } from 'jose';
import { fromHex, toHex } from '../../crypto/encoding.ts';

const encoder = new TextEncoder();
/** What PKCS #8 puts before the 32 bytes of a private key. RFC 8410 §7 */
const PKCS8_PREFIX = '302e020100300506032b657004220420';
const PUBLIC_KEY_BYTES = 32;
const ID_CHARACTERS = 16;
const NAME = 'ed25519:';

export interface AuditKey {
  id: string;
  /** `ed25519:` and the public key in base64url. */
  publicKey: string;
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
}

export type PublicAuditKey = Omit<AuditKey, 'sign'>;

/** Takes the 32 bytes of AUDIT_SIGNING_KEY as hex. */
export async function importAuditKey(hex: string): Promise<AuditKey> {
  const bytes = fromHex(`${PKCS8_PREFIX}${hex}`);
  const key = await crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', true, ['sign']);
  const { x = '' } = await crypto.subtle.exportKey('jwk', key);
  const known = await readPublicKey(`${NAME}${x}`);
  if (known === null) throw new TypeError('A new public key cannot be read');
  return {
    ...known,
    async sign(text) {
      const signature = await crypto.subtle.sign('Ed25519', key, encoder.encode(text));
      return base64url.encode(new Uint8Array(signature));
    },
  };
}

/** Returns null for what is no public key. */
export async function readPublicKey(text: string): Promise<PublicAuditKey | null> {
  const bytes = text.startsWith(NAME) ? decode(text.slice(NAME.length)) : null;
  if (bytes?.length !== PUBLIC_KEY_BYTES) return null;
  const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return {
    id: toHex(new Uint8Array(hash)).slice(0, ID_CHARACTERS),
    publicKey: text,
    async verify(signed, signature) {
      const given = decode(signature);
      return given !== null && crypto.subtle.verify('Ed25519', key, given, encoder.encode(signed));
    },
  };
}

function decode(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(base64url.decode(text));
  } catch {
    return null;
  }
}

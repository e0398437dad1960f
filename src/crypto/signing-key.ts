// Imports SESSION_SECRET as an HS256 key, once. reference: Session tokens; decision: 038
const encoder = new TextEncoder();

export function importSigningKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

/** Derives a key for one purpose. A token signed with it is invalid everywhere else. RFC 5869 */
export async function deriveSigningKey(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) };
  const algorithm = { name: 'HMAC', hash: 'SHA-256', length: 256 };
  return crypto.subtle.deriveKey(derivation, material, algorithm, false, ['sign', 'verify']);
}

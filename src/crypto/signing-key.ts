// SESSION_SECRET as an HS256 key, imported once. spec: Session tokens; design: A1
const encoder = new TextEncoder();

export function importSigningKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

// What both bcrypt drivers refuse, so that they never disagree.
export const COST = 10;

const SHAPE = /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/;
const utf8 = new TextEncoder();

export function isBcryptHash(hash: string): boolean {
  return SHAPE.test(hash);
}

/**
 * Returns why a secret cannot be hashed, or null. bcrypt reads 72 bytes and would ignore the rest of a longer
 * secret.
 */
export function whyUnhashable(secret: string): string | null {
  const bytes = utf8.encode(secret).length;
  if (bytes === 0) return '[hasher] an empty secret cannot be hashed';
  if (bytes > 72) return '[hasher] a secret longer than 72 bytes cannot be hashed';
  return null;
}

// Sends a notice to a browser: encrypted by RFC 8291, in the name of this gateway by RFC 8292.
import { base64url, SignJWT } from 'jose';
import type { Config } from '../../config/config.ts';
import type { Egress } from '../../egress/door.ts';
import type { Random } from '../../ports/random.ts';
import type { Address } from '../model/address.ts';
import { post } from './post.ts';
import type { Attempt } from './sent.ts';
import type { PushKeys } from './push-keys.ts';

export interface PushMessage {
  /** A newer message with this topic replaces one that was not shown. */
  topic: string;
  isUrgent: boolean;
  /** How long the push service keeps it, in seconds. */
  ttl: number;
  data: { title: string; body: string; url: string };
}

type Subscription = Extract<Address, { channel: 'push' }>;
type Needs = {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'MAIL_FROM'>;
  egress: Pick<Egress, 'fetch'>;
  random: Random;
};

const GONE = [404, 410];
const TOKEN_SECONDS = 12 * 3_600;
const RECORD_BYTES = 4_096;
const SALT_BYTES = 16;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' };
const encoder = new TextEncoder();

export async function sendPush(
  { config, egress, random }: Needs,
  { privateKey, publicKey }: PushKeys,
  { url, p256dh, auth }: Subscription,
  { topic, isUrgent, ttl, data }: PushMessage,
  now: number,
): Promise<Attempt> {
  const token = await new SignJWT({ sub: contactOf(config) })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(url).origin)
    .setExpirationTime(now + TOKEN_SECONDS)
    .sign(privateKey);
  const body = await encrypt(JSON.stringify(data), p256dh, auth, random);
  const headers = {
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    authorization: `vapid t=${token}, k=${publicKey}`,
    ttl: String(ttl),
    urgency: isUrgent ? 'high' : 'normal',
    topic,
  };
  return post(egress, { url, headers, body }, GONE);
}

/** Names whom a push service can ask. RFC 8292 §2.1 */
function contactOf({ SERVER_PUBLIC_URL: url, MAIL_FROM }: Needs['config']): string {
  if (MAIL_FROM !== undefined) return `mailto:${MAIL_FROM.address}`;
  return url.startsWith('https:') ? url : 'mailto:owner@localhost';
}

/** Whether a browser's key is a point of the curve. */
export async function isPushKey(p256dh: string): Promise<boolean> {
  try {
    await crypto.subtle.importKey('raw', decode(p256dh), CURVE, false, []);
    return true;
  } catch {
    return false;
  }
}

async function encrypt(
  text: string,
  p256dh: string,
  auth: string,
  random: Random,
): Promise<Uint8Array<ArrayBuffer>> {
  const theirs = decode(p256dh);
  const theirKey = await crypto.subtle.importKey('raw', theirs, CURVE, false, []);
  const pair = await crypto.subtle.generateKey(CURVE, true, ['deriveBits']);
  const ours = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirKey }, pair.privateKey, 256);
  const material = await hkdf(decode(auth), shared, join(info('WebPush: info'), theirs, ours), 32);
  const salt = random.bytes(SALT_BYTES);
  const [key, nonce] = await Promise.all([
    hkdf(salt, material, info('Content-Encoding: aes128gcm'), 16),
    hkdf(salt, material, info('Content-Encoding: nonce'), 12),
  ]);
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  // The byte 2 ends the last record. RFC 8188 §2
  const plain = join(encoder.encode(text), new Uint8Array([2]));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, aes, plain));
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, RECORD_BYTES);
  return join(salt, size, new Uint8Array([ours.length]), ours, sealed);
}

async function hkdf(
  salt: Uint8Array<ArrayBuffer>,
  material: ArrayBuffer | Uint8Array<ArrayBuffer>,
  about: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', material, 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: about };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

const info = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(`${text}\0`);
const decode = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(base64url.decode(text));

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

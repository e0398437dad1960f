// Signs what is sent to a webhook, by the Standard Webhooks specification 1.0.
import { base64url } from 'jose';
import type { Egress } from '../../egress/door.ts';
import type { Random } from '../../ports/random.ts';
import { post } from './post.ts';
import type { Attempt } from './sent.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const encoder = new TextEncoder();

export const newSecret = (random: Random): string => `${PREFIX}${toBase64(random.bytes(SECRET_BYTES))}`;

export interface SignedPost {
  url: string;
  secret: string;
  /** The same for each attempt. */
  id: string;
  /** When the attempt is made, in Unix seconds. */
  now: number;
  body: string;
}

export async function sendWebhook(
  egress: Pick<Egress, 'fetch'>,
  { url, secret, id, now, body }: SignedPost,
): Promise<Attempt> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': `v1,${await sign(secret, `${id}.${now}.${body}`)}`,
  };
  return post(egress, { url, headers, body });
}

async function sign(secret: string, text: string): Promise<string> {
  const bytes = fromBase64(secret.slice(PREFIX.length));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))));
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(base64url.decode(text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')));

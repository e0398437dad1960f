// Checks how a machine client proves who it is: a secret, or a token that it has signed itself.
// RFC 6749 §2.3.1; RFC 7523 §2.2, §3; reference: Client credentials
import { decodeJwt, importJWK, type JWK } from 'jose';
import { timingSafeEqual } from 'hono/utils/buffer';
import { isId } from '../../http/id.ts';
import type { MachineClient } from '../../ports/machines.ts';
import type { Ports } from '../../ports/ports.ts';
import { CLIENT_PROOF_SECONDS } from './limits.ts';
import { algorithmsOf, parseKey } from './public-key.ts';
import type { ClientReason } from './refusals.ts';
import { isOnly, verifySigned } from './signed.ts';
import { createUseOnce } from './single-use.ts';

export const CLIENT_JWT = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export type Proved = { client: MachineClient } | { why: ClientReason };
/** Undefined where the request has no proof at all. */
export type ProveClient = (form: URLSearchParams, authorization: string | null) => Promise<Proved>;

interface Presented {
  clientId: string;
  secret: string;
}

export function createProveClient(deps: Pick<Ports, 'clock' | 'config' | 'digest' | 'store'>): ProveClient {
  const { clock, config, digest, store } = deps;
  const base = config.SERVER_PUBLIC_URL;
  const audiences = [base, `${base}/token`];
  const useOnce = createUseOnce(deps);

  const find = (id: string) => (isId(id) ? store.machines.client(id) : Promise.resolve(null));

  async function proveSecret({ clientId, secret }: Presented): Promise<Proved> {
    const client = await find(clientId);
    if (client === null) return { why: 'unknown-client' };
    if (client.secret_sha === null) return { why: 'wrong-way' };
    const isRight = await timingSafeEqual(digest.sha256(secret), client.secret_sha);
    return isRight ? { client } : { why: 'wrong-secret' };
  }

  async function proveKey(proof: string): Promise<Proved> {
    const subject = subjectOf(proof);
    if (subject === null) return { why: 'malformed' };
    const client = await find(subject);
    if (client === null) return { why: 'unknown-client' };
    if (client.jwk === null) return { why: 'wrong-way' };
    const jwk: JWK = parseKey(client.jwk);
    const signed = await verifySigned(proof, {
      key: ({ alg }) => importJWK(jwk, alg),
      algorithms: algorithmsOf(jwk),
      claims: ['iss', 'sub', 'aud', 'jti'],
      clock,
    });
    if ('reason' in signed) return { why: signed.reason };
    const { iss, sub, aud, jti, exp } = signed.payload;
    if (iss !== client.client_id || sub !== client.client_id) return { why: 'wrong-subject' };
    if (!isOnly(aud, audiences)) return { why: 'wrong-audience' };
    if (typeof jti !== 'string' || jti === '' || typeof exp !== 'number') return { why: 'claims' };
    if (exp > clock.now() + CLIENT_PROOF_SECONDS) return { why: 'lives-too-long' };
    const isFirst = await useOnce({ from: client.client_id, jti, exp });
    return isFirst ? { client } : { why: 'used-before' };
  }

  return async function proveClient(form, authorization) {
    const basic = readBasic(authorization);
    const posted = form.has('client_secret');
    const proof = form.get('client_assertion');
    const signed = proof !== null || form.has('client_assertion_type');
    const ways = [basic !== undefined, posted, signed].filter(Boolean).length;
    // RFC 6749 §2.3
    if (ways > 1) return { why: 'several-ways' };
    const named = form.get('client_id');
    let proved: Proved = { why: 'nothing-presented' };
    if (basic === null) proved = { why: 'malformed' };
    else if (basic !== undefined) proved = await proveSecret(basic);
    else if (posted)
      proved = await proveSecret({ clientId: named ?? '', secret: form.get('client_secret') ?? '' });
    else if (proof !== null && form.get('client_assertion_type') === CLIENT_JWT)
      proved = await proveKey(proof);
    if ('client' in proved && named !== null && named !== proved.client.client_id)
      return { why: 'wrong-subject' };
    return proved;
  };
}

/** Read before the signature is checked, to know whose key checks it. */
function subjectOf(proof: string): string | null {
  try {
    const { sub } = decodeJwt(proof);
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

/** Undefined for another scheme, null for a header that cannot be read. RFC 6749 §2.3.1 */
export function readBasic(authorization: string | null): Presented | null | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return /^basic\b/i.test(authorization ?? '') ? null : undefined;
  try {
    const [, clientId, secret] = /^([^:]*):(.*)$/s.exec(atob(encoded)) ?? [];
    if (clientId === undefined || secret === undefined) return null;
    return { clientId: decodeForm(clientId), secret: decodeForm(secret) };
  } catch {
    return null;
  }
}

const decodeForm = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

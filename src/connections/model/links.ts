// Makes and redeems connect links: each opens a page of the portal for one user, once. reference: Connect links
import { SignJWT } from 'jose';
import { verifyJwt } from '../../auth/jwt.ts';
import type { Ports } from '../../ports/ports.ts';

const ISSUER = 'service-connect';
const FLOW = '__connect_link__';

export interface ConnectLink {
  id: string;
  userId: string;
  integration: string;
  /** The label of the account to renew, or of a new one. */
  account?: string;
}

/** Stands for an integration in a link that opens a plain browser. */
export const BROWSER = '__browser__';

export interface ConnectLinks {
  /** `connectionId` is the pending connection that the link ends with. */
  create(userId: string, integration: string, account?: string, connectionId?: string): Promise<string>;
  /** A link to a plain browser, which opens at `startUrl` unless that is null. */
  createForBrowser(userId: string, startUrl: string | null): Promise<string>;
  /** Null when the token is not a link of this gateway, or expired more than `toleranceSeconds` ago. */
  read(token: string, toleranceSeconds?: number): Promise<ConnectLink | null>;
  /** The first caller gets what the link was made with; every later caller gets null. */
  consume(link: ConnectLink): Promise<{ startUrl: string | null } | null>;
}

type Needs = Pick<Ports, 'config' | 'clock' | 'random' | 'store'> & { signingKey: CryptoKey };

export function createConnectLinks({ config, clock, random, store, signingKey }: Needs): ConnectLinks {
  async function createAt(
    page: 'connect' | 'browser',
    userId: string,
    integration: string,
    startUrl: string | null,
    account?: string,
    connectionId?: string,
  ): Promise<string> {
    const id = random.uuid();
    const now = clock.now();
    const expires = now + config.CONNECT_TTL_SECONDS;
    await store.flows.put(
      {
        state: id,
        user_id: userId,
        integration: FLOW,
        expires_at: expires,
        session_data: startUrl,
        code_verifier: null,
        config: null,
      },
      { kind: 'connect', most: config.PERSON_MAX_PENDING, connectionId },
    );
    const token = await new SignJWT(account === undefined ? { integration } : { integration, account })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setJti(id)
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setIssuedAt(now)
      .setExpirationTime(expires)
      .sign(signingKey);
    return `${config.PORTAL_URL}/${page}?t=${token}`;
  }

  return {
    create: (userId, integration, account, connectionId) =>
      createAt('connect', userId, integration, null, account, connectionId),
    createForBrowser: (userId, startUrl) => createAt('browser', userId, BROWSER, startUrl),

    async read(token, toleranceSeconds = 0) {
      const payload = await verifyJwt(token, signingKey, clock, {
        issuer: ISSUER,
        audience: ISSUER,
        clockTolerance: toleranceSeconds,
      });
      if (
        typeof payload?.sub !== 'string' ||
        typeof payload.jti !== 'string' ||
        typeof payload['integration'] !== 'string'
      )
        return null;
      const { sub: userId, jti: id, integration, account } = payload;
      return { id, userId, integration, ...(typeof account === 'string' ? { account } : {}) };
    },

    async consume(link) {
      const flow = await store.flows.take(link.id);
      return flow === null || flow.integration !== FLOW ? null : { startUrl: flow.session_data };
    },
  };
}

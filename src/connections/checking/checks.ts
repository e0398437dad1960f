// Checks credentials: before they are stored, when the person asks, and once a day. decision: 026
import { HttpError } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Notify } from '../../kit/notice.ts';
import { createCallCounts, type TooManyCalls } from '../../memory/per-person.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection, ConnectionKey, CredentialState } from '../../ports/records.ts';
import { nameOf } from '../model/accounts.ts';
import type { Checked, CheckedSession, Checks, NewCredential } from '../model/checks.ts';
import { configAt, readConfigOf } from '../model/config.ts';
import { canRenew, parseCredential } from '../model/credential.ts';
import { cookieDomains } from '../cookies/cookie-domains.ts';
import { mergeSetCookie } from '../cookies/cookie-jar.ts';
import type { Bundle } from '../model/cookies.ts';
import { keepCookies } from '../cookies/keep-cookies.ts';
import type { TokenSource } from '../oauth/tokens.ts';
import type { ReadyConnection } from '../model/open-credential.ts';
import { markState } from '../model/mark-state.ts';
import { stateAfter, stateUnchecked, type Verdict } from '../model/state.ts';
import type { Vault } from '../model/vault.ts';
import type { KeepAnswer, SendProbe } from './probe.ts';

/** Each waits for a server that the person may have chosen. */
const MAX_UNDER_WAY = 4;
const TOO_MANY = `${MAX_UNDER_WAY} of your credentials are being checked already. Try again when one of these checks has ended`;

type Needs = Pick<Ports, 'store' | 'clock'> & {
  notify: Notify;
  sendProbe: SendProbe;
  tokens: TokenSource;
  vault: Vault;
};

export function createChecks({ clock, notify, sendProbe, store, tokens, vault }: Needs): Checks {
  const running = new Map<string, Promise<Connection | null>>();

  const counts = createCallCounts({
    config: { PERSON_MAX_CALLS: MAX_UNDER_WAY, PERSON_CALLS_PER_MINUTE: undefined },
    clock,
  });

  async function before({ userId, integration, way, text, config, label }: NewCredential): Promise<Checked> {
    if (integration.probe === undefined)
      return { ok: true, state: stateUnchecked(integration, way, label, clock.now()) };
    const over = counts.begin(userId);
    if (over !== undefined) {
      if (way !== 'oauth2') throw refuse(over);
      // The grant would be lost: its code is used up.
      return judged({ kind: 'unreachable', reason: TOO_MANY }, clock);
    }
    try {
      const credential = parseCredential(integration, text, way);
      const checked = judged(await sendProbe({ integration, config, credential }), clock);
      if (checked.ok) await identifyStored(userId, integration, checked.state);
      return checked;
    } finally {
      counts.end(userId);
    }
  }

  async function checkSession(
    userId: string,
    integration: Integration,
    bundle: Bundle,
    instanceUrl: string | null,
    isCaptured: boolean,
  ): Promise<CheckedSession> {
    const { auth } = integration;
    if (integration.probe === undefined || auth.type !== 'cookie')
      return { ok: true, state: stateUnchecked(integration, 'cookie', undefined, clock.now()), bundle };
    const over = counts.begin(userId);
    if (over !== undefined) throw refuse(over);
    try {
      let kept = bundle;
      let answeredAt: URL | undefined;
      const asked = await probeSession(integration, bundle, instanceUrl, async (url, lines) => {
        answeredAt = url;
        const domains = cookieDomains(auth, instanceUrl);
        kept = mergeSetCookie(bundle, url, lines, clock.now(), domains) ?? bundle;
      });
      const mustProve = isCaptured && instanceUrl !== null && asked.kind === 'ok';
      const verdict = mustProve ? await proveSite(asked, answeredAt, instanceUrl) : asked;
      const checked = judged(verdict, clock);
      if (checked.ok) await identifyStored(userId, integration, checked.state);
      return checked.ok ? { ...checked, bundle: kept } : checked;
    } finally {
      counts.end(userId);
    }

    /**
     * A site may redirect to somebody's file elsewhere or have such a file itself, and the file may say what an integration
     * would. Only an answer of the site that depends on the session proves something.
     */
    async function proveSite(verdict: Verdict, answeredAt: URL | undefined, site: string): Promise<Verdict> {
      const { origin, host } = new URL(site);
      if (answeredAt?.origin !== origin)
        return { kind: 'unclear', reason: `${host} redirected the check to another site` };
      const stranger = await probeSession(integration, { ...bundle, cookies: [] }, site);
      if (stranger.kind !== 'ok') return verdict;
      return { kind: 'unclear', reason: `${host} gave the same answer without a session` };
    }
  }

  function probeSession(
    integration: Integration,
    bundle: Bundle,
    instanceUrl: string | null,
    keep?: KeepAnswer,
  ): Promise<Verdict> {
    const credential = parseCredential(integration, JSON.stringify(bundle), 'cookie');
    return sendProbe({ integration, config: configAt(instanceUrl), credential }, keep);
  }

  /**
   * Finds out the accounts of stored credentials whose account is not known, so that a new account does not replace one of
   * them. A credential that cannot be asked about keeps its place.
   */
  async function identifyStored(
    userId: string,
    integration: Integration,
    { account_id }: CredentialState,
  ): Promise<void> {
    if (account_id === null) return;
    for (const row of await store.connections.of(userId, integration.name))
      if (row.account_id === null && row.status !== 'reconnect') await now(row, integration);
  }

  /** Returns the verdict, and the row that it is about. */
  async function ask(
    row: Connection,
    integration: Integration,
  ): Promise<{ verdict: Verdict; row: Connection } | null> {
    const readiness = await tokens.prepareRow(row, integration);
    switch (readiness.kind) {
      case 'not-connected':
        return null;
      case 'later':
        return { verdict: { kind: 'unreachable', reason: readiness.message }, row };
      case 'reconnect': {
        // The refresh that failed may have written the row.
        const current = await read(row);
        return current && { verdict: { kind: 'refused', reason: readiness.message }, row: current };
      }
      case 'ready': {
        const first = await probeStored(readiness, integration);
        if (first.verdict.kind !== 'refused' || !canRenew(readiness.credential)) return first;
        const renewed = await tokens.renew(row, integration, readiness.credential);
        if (renewed.kind === 'ready') return probeStored(renewed, integration);
        if (renewed.kind === 'dead') return first;
        const reason = `${integration.displayName} could not renew the token now`;
        return { verdict: { kind: 'unreachable', reason }, row: first.row };
      }
    }
  }

  async function probeStored(ready: ReadyConnection, integration: Integration) {
    const { credential } = ready;
    let row = ready.connection;
    const config = readConfigOf(row);
    const verdict = await sendProbe({ integration, config, credential }, async (url, lines) => {
      row = await keepCookies(
        { store, clock, vault },
        { integration, connection: row, credential, url, lines },
      );
    });
    return { verdict, row };
  }

  async function check(key: ConnectionKey, integration: Integration): Promise<Connection | null> {
    const row = await read(key);
    if (row === null || integration.probe === undefined) return row;
    const asked = await ask(row, integration);
    if (asked === null) {
      await store.connections.mark(row, { ...row, checked_at: clock.now() });
      return null;
    }
    const state = stateAfter(asked.row, asked.verdict, clock.now());
    if (await markState({ notify, store }, asked.row, state)) return { ...asked.row, ...state };
    // Somebody has stored a newer credential meanwhile, which this verdict is not about.
    return read(key);
  }

  const read = ({ user_id, integration, account }: ConnectionKey) =>
    store.connections.get(user_id, integration, account);

  function now(key: ConnectionKey, integration: Integration): Promise<Connection | null> {
    const name = nameOf(key);
    const shared = running.get(name) ?? check(key, integration).finally(() => running.delete(name));
    running.set(name, shared);
    return shared;
  }

  return {
    before,
    beforeSession: (userId, integration, bundle, instanceUrl) =>
      checkSession(userId, integration, bundle, instanceUrl, false),
    beforeCapture: (userId, integration, bundle, instanceUrl) =>
      checkSession(userId, integration, bundle, instanceUrl, true),
    now,
  };
}

function refuse({ retryAfterSeconds }: TooManyCalls): HttpError {
  return new HttpError(429, { error: TOO_MANY }, { 'Retry-After': String(retryAfterSeconds) });
}

function judged(verdict: Verdict, clock: Clock): Checked {
  if (verdict.kind === 'refused') return { ok: false, reason: verdict.reason };
  return { ok: true, state: stateAfter(null, verdict, clock.now()) };
}

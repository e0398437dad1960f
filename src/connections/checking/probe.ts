// Asks a provider whose account a credential is: one cheap read by the same route as every call. decision: 026
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Probe } from '../../kit/manifest.ts';
import type { ConnectionConfig } from '../model/config.ts';
import type { Credential } from '../model/credential.ts';
import type { Verdict } from '../model/state.ts';
import { secretsOn } from '../calls/place-credential.ts';
import { judge } from './probe-answer.ts';
import { applyRefusal } from '../calls/refusal.ts';
import { addressBelow, type Routes } from '../calls/route.ts';

/** A credential that may not be stored yet. */
export interface Candidate {
  integration: Integration;
  config: ConnectionConfig;
  credential: Credential;
}

/** Takes the cookies of the answer. */
export type KeepAnswer = (url: URL, setCookies: readonly string[]) => Promise<void>;

export type SendProbe = (candidate: Candidate, keep?: KeepAnswer) => Promise<Verdict>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 128 * 1024;

type Needs = { egress: Pick<Egress, 'fetch'>; routes: Routes };

/** The integration has to have a probe. */
export function createSendProbe({ egress, routes }: Needs): SendProbe {
  return async function sendProbe(candidate, keep) {
    const { integration, credential } = candidate;
    const { api, probe } = integration;
    if (probe === undefined) throw new Error(`${integration.name} has no probe`);
    const route = routes.make(candidate, probe.at);
    if ('reason' in route) return { kind: 'unclear', reason: route.reason };
    const { method, path } = requestOf(probe);
    const url = addressBelow(route, path);
    if (url === null) throw new Error(`The probe of ${integration.name} leaves its API`);
    const headers = new Headers({
      accept: 'application/json',
      ...(probe.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...api?.headers,
      ...probe.headers,
    });
    for (const [name, value] of routes.headersFor(route, url)) headers.set(name, value);
    try {
      const response = await egress.fetch(url, {
        method,
        headers,
        body: probe.body ?? null,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
      await keep?.(new URL(response.url), response.headers.getSetCookie());
      const judged = api?.refusal === undefined ? response : await applyRefusal(response, api.refusal);
      const answer = { status: judged.status, headers: judged.headers, text: await judged.text() };
      return judge(answer, integration, probe, secretsOn(credential, headers));
    } catch (error) {
      if (error instanceof EgressFailure) return { kind: 'unreachable', reason: error.message };
      throw error;
    }
  };
}

function requestOf({ request }: Probe): { method: string; path: string } {
  const [method = 'GET', path = '/'] = request.split(' ');
  return { method, path };
}

// Resolves the base address of an integration's API for one connection. reference: Curl proxy
import type { Integration } from '../../kit/integration.ts';
import { type ConnectionConfig, INSTANCE, instanceIn } from '../model/config.ts';
import { type Credential, isOwnToken } from '../model/credential.ts';

export type ResolvedBase = { ok: true; base: string } | { ok: false; reason: string };

/** `at` names one of the API's other places. A token that the person made may have a base of its own. */
export function resolveBase(
  integration: Integration,
  config: ConnectionConfig,
  at?: string,
  credential?: Credential,
): ResolvedBase {
  const { api, token, displayName } = integration;
  const own = isOwnToken(credential) ? token?.base : undefined;
  const base = at === undefined ? (own ?? api?.base) : api?.others?.[at];
  if (base === undefined) return { ok: false, reason: `${displayName} has no API to call` };
  if (typeof base === 'string') return fillIn(base, config, displayName);
  if ('instancePath' in base) {
    const instanceUrl = instanceIn(config, integration);
    if (instanceUrl === null)
      return { ok: false, reason: `the connection has no instance address: reconnect ${displayName}` };
    return { ok: true, base: findElsewhere(base.at, instanceUrl) ?? `${instanceUrl}${base.instancePath}` };
  }
  const instanceUrl = config[INSTANCE];
  if (base.orInstance !== undefined && instanceUrl !== undefined)
    return { ok: true, base: `${instanceUrl}${base.orInstance}` };
  const chosen = config[base.by] ?? base.otherwise;
  const found = chosen !== undefined && Object.hasOwn(base.bases, chosen) ? base.bases[chosen] : undefined;
  return found === undefined
    ? { ok: false, reason: `the connection has no ${base.by}: reconnect ${displayName}` }
    : { ok: true, base: found };
}

/** `*` stands for one label of the host, in the instance and in the base. */
function findElsewhere(at: Readonly<Record<string, string>> = {}, instanceUrl: string): string | undefined {
  for (const [instance, base] of Object.entries(at)) {
    const [start = '', end = ''] = instance.split('*');
    const word = instanceUrl.slice(start.length, instanceUrl.length - end.length);
    if (instance.replace('*', word) === instanceUrl && !/[.:/]/.test(word)) return base.replace('*', word);
  }
  return undefined;
}

function fillIn(template: string, config: ConnectionConfig, displayName: string): ResolvedBase {
  const missing = [...template.matchAll(/\{(\w+)\}/g)]
    .map(([, key = '']) => key)
    .find((key) => !Object.hasOwn(config, key));
  if (missing !== undefined)
    return { ok: false, reason: `the connection has no ${missing}: reconnect ${displayName}` };
  return {
    ok: true,
    base: template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(config[key] ?? '')),
  };
}

// The hosts that the manifests of built-in integrations name. The host of a person's own instance is not among them.
import type { Integration } from './integration.ts';

export function hostsOf(integrations: readonly Integration[]): ReadonlySet<string> {
  const hosts = new Set<string>();
  for (const { api, auth, token, instance, imported } of integrations)
    if (imported === undefined) collect([api, auth, token, instance?.default], hosts);
  return hosts;
}

/** A placeholder stands for what somebody has entered. */
function collect(value: unknown, hosts: Set<string>): void {
  if (typeof value === 'string') {
    const [, host] = /^https?:\/\/([a-z0-9.-]+)(?::\d+)?(?:[/?#]|$)/.exec(value) ?? [];
    if (host !== undefined) hosts.add(host);
  } else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collect(member, hosts);
}

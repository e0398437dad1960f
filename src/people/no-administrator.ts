// Warns at the start about people whom nobody administers. reference: Administration of people
import { enabledProviders } from '../login/providers.ts';
import type { Ports } from '../ports/ports.ts';
import { OWNER_EMAIL } from '../ports/records.ts';
import { readEveryone } from './everyone.ts';

/** A gateway of version 0.1 made nobody an administrator, and its people were there before roles. */
export async function warnOfNoAdministrator(
  deps: Pick<Ports, 'clock' | 'config' | 'log' | 'store'>,
): Promise<void> {
  const { config, log, store } = deps;
  if (config.loopback || enabledProviders(config).length === 0) return;
  if (await store.people.hasAdministrator()) return;
  for await (const { email, unverified_since } of readEveryone(deps)) {
    // Without anybody else, the first person who signs in becomes the owner.
    if (email === OWNER_EMAIL || unverified_since !== null) continue;
    log.write('warn', 'nobody administers this gateway', {
      hint: 'make one of its people the owner: npm run users -- role --email you@example.com --role owner',
    });
    return;
  }
}

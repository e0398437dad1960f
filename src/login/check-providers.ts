// Asks each complete sign-in provider for its metadata once, so that a wrong setting shows at the start instead of at the
// first sign-in. reference: Portal sign-in
import type { Egress } from '../egress/door.ts';
import { EgressFailure, type EgressReason } from '../egress/failure.ts';
import type { Ports } from '../ports/ports.ts';
import type { SignInProvider } from '../ports/store.ts';
import { createDiscovery } from './discovery.ts';
import { enabledProviders, readProvider } from './providers.ts';

export interface UnusableProvider {
  provider: SignInProvider;
  /** What the operator can do. */
  hint: string;
  error: unknown;
}

type Needs = Pick<Ports, 'clock' | 'config'> & { egress: Egress };

/** Returns the providers that nobody can sign in with. It never rejects. */
export async function findUnusableProviders(deps: Needs): Promise<UnusableProvider[]> {
  const checked = await Promise.all(enabledProviders(deps.config).map((name) => check(deps, name)));
  return checked.filter((found) => found !== null);
}

async function check(deps: Needs, provider: SignInProvider): Promise<UnusableProvider | null> {
  const settings = readProvider(deps.config, provider);
  // The log already has a warning about a provider without its secret.
  if (settings?.clientSecret === undefined) return null;
  try {
    await createDiscovery(settings.issuer, deps).metadata();
    return null;
  } catch (error) {
    const reason = error instanceof EgressFailure ? error.reason : 'bad-answer';
    return {
      provider,
      hint: findCure(reason, settings.issuer, `${provider.toUpperCase()}_ISSUER_URL`),
      error,
    };
  }
}

function findCure(reason: EgressReason, issuer: string, variable: string): string {
  const { host } = new URL(issuer);
  switch (reason) {
    case 'forbidden':
      return `${host} has a private address: add it to EGRESS_ALLOW if it is yours`;
    case 'unreachable':
    case 'timeout':
      return `check ${variable}, and that this machine can reach ${host} (DNS, firewall)`;
    default:
      return `check ${variable}: the issuer has to publish its metadata at .well-known/openid-configuration below it`;
  }
}

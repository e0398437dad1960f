// Keeps the cookies of the gateway's sign-in providers out of sessions: with them an agent could sign in as its person.
// reference: Cookie sessions; decision: 027
import { type Config, isLoopbackHost } from '../../config/config.ts';
import type { CookieBlock } from '../../kit/manifest.ts';
import { cookieDomains, isAtOrBelow, keepDomains } from './cookie-domains.ts';
import type { Bundle } from '../model/cookies.ts';

export interface CookieScope {
  block: CookieBlock;
  instanceUrl: string | null;
}

type Issuers = Pick<Config, 'HOSTED_ISSUER_URL' | 'IDP_ISSUER_URL'>;

/** Keeps the cookies that an integration may hold: those of its own domains, and none of a sign-in provider. */
export function keepOwnCookies(bundle: Bundle, { block, instanceUrl }: CookieScope, config: Issuers): Bundle {
  return dropSignIn(keepDomains(bundle, cookieDomains(block, instanceUrl)), { block, instanceUrl }, config);
}

/** Removes the cookies of sign-in providers, and all of them when the integration's site is a provider. */
export function dropSignIn(bundle: Bundle, { block, instanceUrl }: CookieScope, config: Issuers): Bundle {
  const issuers = [config.HOSTED_ISSUER_URL, config.IDP_ISSUER_URL ?? []].flat().map((url) => new URL(url));
  const site = URL.parse(instanceUrl ?? block.loginUrl)?.origin;
  if (issuers.some(({ origin }) => origin === site)) return { ...bundle, cookies: [] };
  // The servers of a developer's machine share its name, and cookies have no port.
  const hosts = issuers.map(({ hostname }) => hostname).filter((host) => !isLoopbackHost(host));
  return {
    ...bundle,
    cookies: bundle.cookies.filter(({ domain }) => !hosts.some((host) => isAtOrBelow(domain, host))),
  };
}

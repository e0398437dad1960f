// Decides which cookies belong to an integration, and which hosts a cookie is sent to. decision: 050
import type { CookieBlock } from '../../kit/manifest.ts';
import type { Bundle, Cookie } from '../model/cookies.ts';

const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;
const IPV4 = /^\d+(\.\d+){3}$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;

/** The host as URLs write it: lower case, punycode, no dot at either end. Null when the text is not a host. */
export function canonicalHost(text: string): string | null {
  const bare = text.replace(/^\./, '').replace(/\.$/, '');
  // A URL parser would cut these off or read them as another part of the URL.
  if (/[\p{Cc}\p{Zs}/\\?#@%]/u.test(bare) || (bare.includes(':') && !bare.startsWith('['))) return null;
  const url = URL.parse(`http://${bare}`);
  return url !== null && url.port === '' && isHost(url.hostname) ? url.hostname : null;
}

const isHost = (host: string) => NAME.test(host) || IPV6.test(host);
export const isAddress = (host: string): boolean => IPV4.test(host) || IPV6.test(host);

function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && !isAddress(host) && !isAddress(domain);
}

/** Whether a cookie of this domain is sent to this canonical host. RFC 6265 §5.1.3 */
export function domainMatches(domain: string, host: string): boolean {
  return domain.startsWith('.') ? domain === `.${host}` || isBelow(host, domain.slice(1)) : domain === host;
}

/** Whether a cookie's domain is the host or below it. */
export function isAtOrBelow(domain: string, host: string): boolean {
  const bare = domain.replace(/^\./, '');
  return bare === host || isBelow(bare, host);
}

/** The domains whose cookies an integration may hold. Empty when the domain depends on an instance that is not known. */
export function cookieDomains(block: CookieBlock, instanceUrl: string | null): string[] {
  const hosts = block.cookieDomains ?? [URL.parse(instanceUrl ?? block.loginUrl)?.hostname ?? ''];
  return hosts.flatMap((host) => canonicalHost(host) ?? []);
}

/** Whether a cookie's domain is one of the domains, below one, or a parent of one. A top-level domain is no parent. */
export function isOwn({ domain }: Pick<Cookie, 'domain'>, domains: readonly string[]): boolean {
  const host = domain.replace(/^\./, '');
  return domains.some((own) => isAtOrBelow(domain, own) || (host.includes('.') && isBelow(own, host)));
}

/** Removes the cookies of other sites, such as those of a single sign-on. */
export function keepDomains(bundle: Bundle, domains: readonly string[]): Bundle {
  return { ...bundle, cookies: bundle.cookies.filter((cookie) => isOwn(cookie, domains)) };
}

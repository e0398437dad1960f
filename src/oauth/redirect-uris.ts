// Decides which redirect URIs a client may register, and which of them a request means. decision: 020
import { isLoopbackHost } from '../config/config.ts';
import { REDIRECT_URI_CHARACTERS } from './limits.ts';

// Schemes that a browser runs, shows, opens or sends by itself. None of them hands a code to an application.
const REFUSED_SCHEMES = new Set(
  (
    'javascript data file blob vbscript livescript mocha about filesystem view-source ws wss ftp ftps mailto tel ' +
    'sms smsto mms urn jar intent content resource res chrome chrome-extension moz-extension edge opera mhtml mk feed shell ' +
    'search-ms ms-msdt ms-its ms-settings ms-cxh ms-appinstaller x-apple-helpbasic news nntp gopher ldap telnet ssh smb'
  ).split(' '),
);

/** `httpAllowed` also allows http to hosts other than loopback, for a gateway whose own base is http. */
export function isAcceptableRedirectUri(uri: string, httpAllowed: boolean): boolean {
  if (uri.length > REDIRECT_URI_CHARACTERS) return false;
  // RFC 3986 §2 without the fragment: no control character, space, quote, backslash or character beyond ASCII
  if (
    !/^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/.test(uri) ||
    /%(?![0-9a-f]{2})|%0[0-9a-f]|%1[0-9a-f]|%7f/i.test(uri)
  )
    return false;
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/i.exec(uri) ?? [];
  if (!URL.canParse(uri) || REFUSED_SCHEMES.has(scheme.toLowerCase())) return false;
  return /^https?$/i.test(scheme) ? isAcceptableWeb(uri, rest, httpAllowed) : isAcceptablePrivate(rest);
}

function isAcceptableWeb(uri: string, rest: string, httpAllowed: boolean): boolean {
  const authority = /^\/\/([^/?]+)/.exec(rest)?.[1];
  if (authority === undefined) return false;
  const url = new URL(uri);
  const port = /:(\d{1,5})$/.exec(authority)?.[1];
  const host = port === undefined ? authority : authority.slice(0, -port.length - 1);
  // The URI has to be in its normalized spelling: no user, no escapes, no number that is an address, no
  // wildcard.
  if (
    host.toLowerCase() !== url.hostname ||
    !/^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9._-]*[a-z0-9])?)$/.test(url.hostname)
  )
    return false;
  return url.protocol === 'https:' || httpAllowed || isLoopbackHost(url.hostname);
}

// RFC 8252 §7.1: an application's own scheme, followed by a path
const isAcceptablePrivate = (rest: string): boolean =>
  /^\/[^/]|^\/$|^\/\/[^/?@]+([/?].*)?$/.test(rest) && !rest.split(/[/?]/, 3).join('').includes('@');

/**
 * Compares exactly, with one exception: a loopback URI registered without a port matches any port. RFC 8252
 * §7.3
 */
export function isRegistered(requested: string, registered: readonly string[]): boolean {
  return registered.includes(requested) || registered.some((uri) => isSameButForPort(requested, uri));
}

function isSameButForPort(requested: string, registered: string): boolean {
  const [, origin = '', rest = ''] = /^(http:\/\/(?:\[[^\]]+\]|[^/?:]+))([/?].*)?$/i.exec(registered) ?? [];
  if (origin === '' || !isLoopbackHost(new URL(registered).hostname)) return false;
  if (!requested.startsWith(`${origin}:`) || !requested.endsWith(rest)) return false;
  const port = requested.slice(origin.length + 1, requested.length - rest.length);
  return /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535;
}

/** The receiver of a code, as consent names and trusts it: a host, or an application's scheme. */
export function redirectPlace(uri: string): { name: string; isHost: boolean; isLoopback: boolean } {
  const { protocol, host, hostname } = new URL(uri);
  const isHost = protocol === 'https:' || protocol === 'http:';
  return isHost
    ? { name: host, isHost, isLoopback: isLoopbackHost(hostname) }
    : { name: protocol, isHost, isLoopback: false };
}

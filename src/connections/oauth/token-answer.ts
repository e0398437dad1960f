// Rewrites a provider's token answer into the form of the standard. RFC 6749 §5
import { isObject, isTooDeep } from '../../json/json.ts';
import { resolvePointer } from '../../json/pointer.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';

// Some providers say "for ever" with more seconds than a database can count.
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;

/** JSON Pointers into the answer. */
type TokenPlaces = Pick<OAuth2Block, 'tokenPath' | 'accountPath' | 'apiHost'>;

/**
 * Providers answer a form or JSON, errors with status 200, tokens below the root, and lifetimes as text. All of these
 * become one shape.
 */
export function normaliseTokenAnswer(
  status: number,
  contentType: string,
  text: string,
  { tokenPath = '', accountPath, apiHost }: TokenPlaces,
): Response {
  const root = parseAnswer(contentType, text);
  if (root === null)
    return errorAnswer(status, 'unreadable_answer', "The provider's response contains no token");
  if (status >= 400 || root['ok'] === false || isText(root['error'])) {
    // Notion and Figma answer `code` and `message` here, as in the rest of their APIs.
    const error = textOr(root['error'], textOr(root['code'], 'unknown_error'));
    return errorAnswer(status, error, textOr(root['error_description'], textOr(root['message'], '')));
  }
  const found = resolvePointer(root, tokenPath);
  const tokens = found !== null && isObject(found.value) ? { ...root, ...found.value } : root;
  // RFC 6749 appendix A.12: a token is visible ASCII. Any other character would not fit into a header.
  if (!isText(tokens['access_token']) || !/^[\x20-\x7e]+$/.test(tokens['access_token']))
    return errorAnswer(400, 'no_token', "The provider's response has no access token");
  const account = accountPath === undefined ? undefined : resolvePointer(root, accountPath)?.value;
  const host = apiHost === undefined ? null : hostOf(resolvePointer(root, apiHost.at)?.value, apiHost.below);
  return Response.json({
    ...toStandard(tokens),
    ...(isText(account) ? { account } : {}),
    ...(host === null ? {} : { api_host: host }),
  });
}

/** Null for an address that is not the provider's own: the token goes there with each call. */
function hostOf(address: unknown, below: readonly string[]): string | null {
  const url = isText(address) ? URL.parse(address) : null;
  if (url?.protocol !== 'https:' || url.port !== '') return null;
  return below.some((domain) => `.${url.hostname}`.endsWith(`.${domain}`)) ? url.hostname : null;
}

function toStandard(tokens: Record<string, unknown>): Record<string, unknown> {
  const { access_token, refresh_token, expires_in, scope, scopes } = tokens;
  const lifetime = isText(expires_in) ? Number(expires_in) : expires_in;
  const granted = scope ?? scopes;
  const listed = Array.isArray(granted) ? granted.filter(isText).join(' ') : granted;
  return {
    access_token,
    token_type: 'bearer',
    ...(isText(refresh_token) ? { refresh_token } : {}),
    ...(typeof lifetime === 'number' && Number.isFinite(lifetime) && lifetime > 0
      ? { expires_in: Math.min(Math.floor(lifetime), MAX_LIFETIME_SECONDS) }
      : {}),
    ...(isText(listed) ? { scope: listed } : {}),
  };
}

function parseAnswer(contentType: string, text: string): Record<string, unknown> | null {
  // GitHub answers a form unless the request asks for JSON, and not every server sends the right content type.
  if (!contentType.includes('form-urlencoded')) {
    if (isTooDeep(text)) return null;
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) ? value : null;
    } catch {
      // The answer may be a form in spite of its content type.
    }
  }
  const form = Object.fromEntries(new URLSearchParams(text));
  return 'access_token' in form || 'error' in form ? form : null;
}

function errorAnswer(status: number, error: string, error_description: string): Response {
  return Response.json(
    { error, error_description },
    { status: status >= 400 && status <= 599 ? status : 400 },
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function textOr(value: unknown, otherwise: string): string {
  return isText(value) ? value : otherwise;
}

// Decides whom a sign-in provider may bring in. reference: Who may sign in; decision: 017
import { type Config, isLoopbackHost } from '../config/config.ts';
import type { SignInAllow } from '../config/config-fields.ts';
import type { SignInProvider } from '../ports/store.ts';
import type { Identity } from './id-token.ts';
import { enabledProviders, type ProviderSettings, readProvider } from './providers.ts';

/** `invited` admits people with an account, and the first person of an empty gateway. */
export type Admission = { kind: 'everybody' | 'invited' } | { kind: 'list'; entries: readonly string[] };

// Everybody in the world can have an account there.
const GOOGLE = 'https://accounts.google.com';

export function readAdmission(
  { SIGN_IN_ALLOW, loopback }: { SIGN_IN_ALLOW?: SignInAllow | undefined; loopback: boolean },
  { issuer }: Pick<ProviderSettings, 'issuer'>,
): Admission {
  if (SIGN_IN_ALLOW === '*') return { kind: 'everybody' };
  if (SIGN_IN_ALLOW !== undefined) return { kind: 'list', entries: SIGN_IN_ALLOW };
  return { kind: !loopback && new URL(issuer).origin === GOOGLE ? 'invited' : 'everybody' };
}

/** An entry is an address, or a domain, which is exactly what follows the last @. */
export function isListed(entries: readonly string[], { email }: Pick<Identity, 'email'>): boolean {
  const at = email.lastIndexOf('@');
  return at > 0 && (entries.includes(email) || entries.includes(email.slice(at + 1)));
}

/** Returns the providers whose people nobody has limited, as warnings for the start of a public gateway. */
export function findOpenProviders(
  config: Config,
): { provider: SignInProvider; issuer: string; admits: string; cure: string }[] {
  if (config.loopback || config.SIGN_IN_ALLOW !== undefined) return [];
  return enabledProviders(config).flatMap((provider) => {
    const settings = readProvider(config, provider);
    if (settings === null || isLoopbackHost(new URL(settings.issuer).hostname)) return [];
    const { issuer } = settings;
    const { kind } = readAdmission(config, settings);
    const admits = kind === 'invited' ? 'the first person and those with an account' : 'everybody it lets in';
    return [{ provider, issuer, admits, cure: CURE }];
  });
}

/** Returns the provider at which the member groups of the other one do not hold, as a warning for the start. */
export function findUngroupedProvider(
  config: Config,
): { provider: SignInProvider; issuer: string; hint: string } | null {
  const hasMembers = { hosted: config.HOSTED_MEMBER_GROUP, idp: config.IDP_MEMBER_GROUP };
  if (hasMembers.hosted === undefined && hasMembers.idp === undefined) return null;
  const open = ALL.find((name) => hasMembers[name] === undefined && readProvider(config, name) !== null);
  const settings = open === undefined ? null : readProvider(config, open);
  return settings === null
    ? null
    : { provider: settings.name, issuer: settings.issuer, hint: UNGROUPED[settings.name] };
}

const ALL = ['hosted', 'idp'] as const;

const UNGROUPED: Record<SignInProvider, string> = {
  hosted:
    'it lets in people whom the idp has never refused, whatever their groups: set HOSTED_MEMBER_GROUP, unset HOSTED_CLIENT_ID, or list in SIGN_IN_ALLOW who may sign in',
  idp: 'it lets in people whom the hosted provider has never refused, whatever their groups: set IDP_MEMBER_GROUP too',
};

const CURE =
  'set SIGN_IN_ALLOW to the e-mail domains and addresses of your people, or to * if everybody may sign in';

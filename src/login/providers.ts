// Reads the sign-in providers from the configuration. reference: Portal sign-in; decision: 016
import type { Config } from '../config/config.ts';
import type { SignInProvider } from '../ports/store.ts';
import { type GroupRules, readGroupRules } from './groups.ts';

export interface ProviderSettings {
  name: SignInProvider;
  issuer: string;
  clientId: string;
  /** When absent, a sign-in can begin but not finish. */
  clientSecret: string | undefined;
  /** Used for both the redirect and the code exchange. */
  redirectUri: string;
  /** Extra parameters for this provider only. */
  parameters: Record<string, string>;
  /** Whether `iss` may also be the issuer without its scheme. */
  bareIssuer: boolean;
  /** What an e-mail address without a verification claim counts as. */
  silence: 'refused' | 'verified' | 'unverified';
  /** Null where groups decide nothing. */
  groups: GroupRules | null;
}

/** Null when the provider is not enabled. */
export function readProvider(config: Config, name: SignInProvider): ProviderSettings | null {
  const redirectUri = `${config.SERVER_PUBLIC_URL}/api/auth/${name}/callback`;
  switch (name) {
    case 'hosted':
      if (config.HOSTED_CLIENT_ID === undefined) return null;
      return {
        name,
        issuer: config.HOSTED_ISSUER_URL,
        clientId: config.HOSTED_CLIENT_ID,
        clientSecret: config.HOSTED_CLIENT_SECRET,
        redirectUri,
        parameters: { access_type: 'online' },
        bareIssuer: true,
        silence: 'refused',
        groups: readGroupRules(config, name),
      };
    case 'idp': {
      const { IDP_ISSUER_URL: issuer, IDP_CLIENT_ID: clientId, IDP_CLIENT_SECRET: clientSecret } = config;
      if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
      const common = { name, issuer, clientId, clientSecret, redirectUri, parameters: {} };
      const silence = config.IDP_EMAIL_TRUSTED ? 'verified' : 'unverified';
      return { ...common, bareIssuer: false, silence, groups: readGroupRules(config, name) };
    }
  }
}

/** Whether the token endpoint takes identity assertions. The idp issues them. reference: Identity assertions */
export const acceptsAssertions = (config: Config): boolean => readProvider(config, 'idp') !== null;

const ALL: readonly SignInProvider[] = ['hosted', 'idp'];

export function enabledProviders(config: Config): SignInProvider[] {
  return ALL.filter((name) => readProvider(config, name) !== null);
}

const KNOWN: Readonly<Record<string, string>> = {
  'accounts.google.com': 'Google',
  'appleid.apple.com': 'Apple',
  'gitlab.com': 'GitLab',
  'login.microsoftonline.com': 'Microsoft',
};

/** What people call each provider: a known name, else the host where they sign in. */
export function namesOf(
  config: Config,
  providers: readonly SignInProvider[],
): Partial<Record<SignInProvider, string>> {
  return Object.fromEntries(
    providers.map((name) => {
      const host = URL.parse(readProvider(config, name)?.issuer ?? '')?.host ?? name;
      return [name, KNOWN[host] ?? host];
    }),
  );
}

const VALUES = {
  hosted: ['HOSTED_CLIENT_ID', 'HOSTED_CLIENT_SECRET'],
  idp: ['IDP_ISSUER_URL', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
} as const;

/** Returns providers with some but not all values set: the operator meant to enable them. */
export function incompleteProviders(config: Config): { provider: SignInProvider; missing: string[] }[] {
  return ALL.map((provider) => ({
    provider,
    missing: VALUES[provider].filter((name) => config[name] === undefined),
  })).filter(({ provider, missing }) => missing.length > 0 && missing.length < VALUES[provider].length);
}

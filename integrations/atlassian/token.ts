// What Bitbucket, Confluence and Jira share: the API token of an Atlassian account, and where grants end. docs: Manage
// API tokens for your Atlassian account
import type { Revoke, TokenWay } from '../../src/kit/manifest.ts';

/** The account's email address is the user name of Basic authentication, and the token is the password. */
export function atlassianToken(own: Pick<TokenWay, 'base' | 'help' | 'scopes'>): TokenWay {
  return {
    fields: [
      {
        key: 'email',
        label: 'Atlassian account email',
        secret: false,
        required: true,
        placeholder: 'you@example.com',
      },
      { key: 'token', label: 'API token', secret: true, required: true, placeholder: 'ATATT…' },
    ],
    credential: { in: 'basic', user: '{email}', password: '{token}' },
    url: 'https://id.atlassian.com/manage-profile/security/api-tokens',
    ...own,
  };
}

/** The token works at the address of the site itself. One with scopes works at api.atlassian.com only. */
export const siteToken = atlassianToken({
  base: { instancePath: '' },
  help: 'Choose Create API token, not the one with scopes. The token may do everything that you may do. The address is that of your site, such as https://acme.atlassian.net.',
});

/** Atlassian has no request that ends a grant. */
export const atlassianGrants: Revoke = { at: 'https://id.atlassian.com/manage-profile/apps' };

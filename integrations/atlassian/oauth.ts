// What Jira and Confluence share: the sign-in, and the choice of a site when a person has several. docs:
// OAuth 2.0 (3LO) apps
import type { InstanceBlock, OAuth2Block } from '../../src/kit/manifest.ts';

/**
 * `granted` is a scope that distinguishes a site of this product from a site of the other: each product is
 * listed by itself.
 */
export function atlassianSignIn(granted: string, others: readonly string[]): OAuth2Block {
  return {
    type: 'oauth2',
    authorizeUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    registerUrl: 'https://developer.atlassian.com/console/myapps/',
    registerHelp:
      'Choose Create and then OAuth 2.0 integration. Add the scopes under Permissions, all but offline_access, enter the redirect address under Authorization, and turn on sharing under Distribution if other people will connect. The id and the secret are under Settings.',
    // Without `offline_access` there is no refresh token, and access ends after an hour.
    scopes: [granted, ...others, 'offline_access'],
    clientAuth: 'post',
    family: { name: 'atlassian', displayName: 'Atlassian' },
    tokenBody: 'json',
    authorizeParameters: { audience: 'api.atlassian.com', prompt: 'consent' },
    // A site's own address answers 401 to such a token, so calls use the site's id.
    postConnect: {
      url: 'https://api.atlassian.com/oauth/token/accessible-resources',
      item: { grants: { at: '/scopes', holds: granted }, instance: '/url' },
      pick: { cloudId: '/id' },
      account: '/url',
    },
  };
}

/** Selects a site for people with several; the default is the first. */
export const site: InstanceBlock = { required: false, example: 'https://acme.atlassian.net' };

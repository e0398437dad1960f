// What Jira and Confluence share: one sign-in, and sites of which a person may have several. docs: OAuth 2.0 (3LO) apps
import type { InstanceBlock, OAuth2Block } from '../../src/kit/manifest.ts';

/** `granted` is a scope that tells a site of the product from one of the other: each product is listed by itself. */
export function atlassianSignIn(granted: string, others: readonly string[]): OAuth2Block {
  return {
    type: 'oauth2',
    authorizeUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    // Without the last there is nothing to refresh with after the first hour.
    scopes: [granted, ...others, 'offline_access'],
    clientAuth: 'post',
    tokenBody: 'json',
    authorizeParameters: { audience: 'api.atlassian.com', prompt: 'consent' },
    // A site's own address answers 401 to such a token: calls go by the site's id.
    postConnect: {
      url: 'https://api.atlassian.com/oauth/token/accessible-resources',
      item: { grants: { at: '/scopes', holds: granted }, instance: '/url' },
      pick: { cloudId: '/id' },
    },
  };
}

/** Which site, for who has several; the first unless given. */
export const site: InstanceBlock = { required: false, example: 'https://acme.atlassian.net' };

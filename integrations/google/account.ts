// Tells whose account a connection of Google is. OpenID Connect answers that without an API to enable in the project.
import { defineIntegration, type Integration, type Tool, tool } from '../../src/kit/integration.ts';
import type { ApiBlock } from '../../src/kit/manifest.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { googleGrants, googleSignIn, toCall } from './oauth.ts';

type Own = Pick<
  Integration,
  'name' | 'displayName' | 'description' | 'categories' | 'logo' | 'tools' | 'version' | 'words'
> & { scopes: readonly string[]; api: Omit<ApiBlock, 'credential'> };

/** Defines an integration whose own API does not say whose account is connected. */
export function defineWithAccount({ scopes, api, tools, ...own }: Own): Integration {
  return defineIntegration({
    ...own,
    auth: {
      ...googleSignIn,
      scopes: [...scopes, 'openid', 'https://www.googleapis.com/auth/userinfo.email'],
    },
    api: {
      ...api,
      others: { ...api.others, account: 'https://openidconnect.googleapis.com/v1' },
      credential: { in: 'bearer' },
    },
    probe: { request: 'GET /userinfo', at: 'account', id: '/sub', label: '/email' },
    revoke: googleGrants,
    tools: [whoami(own.name), ...tools],
  });
}

function whoami(integration: string): Tool {
  return tool(
    `${integration}_whoami`,
    'Show whose Google account is connected',
    () => ({}),
    async (_, { upstream }) => readPayload(await upstream({ ...toCall('GET /userinfo'), at: 'account' })),
  );
}

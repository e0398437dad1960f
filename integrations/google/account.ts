// Tells whose account a connection of Google is. OpenID Connect answers that without an API to enable in the project.
import { type Tool, tool } from '../../src/kit/integration.ts';
import type { Probe } from '../../src/kit/manifest.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { toCall } from './oauth.ts';

export const ACCOUNT_SCOPES = ['openid', 'https://www.googleapis.com/auth/userinfo.email'] as const;

export const ACCOUNT_HOST = 'https://openidconnect.googleapis.com/v1';

export const accountProbe: Probe = { request: 'GET /userinfo', at: 'account', id: '/sub', label: '/email' };

export function whoami(integration: string): Tool {
  return tool(
    `${integration}_whoami`,
    'Show whose Google account is connected',
    () => ({}),
    async (_, { upstream }) => readPayload(await upstream({ ...toCall('GET /userinfo'), at: 'account' })),
  );
}

// Lists the integrations that people sign in to in their browser on the gateway: one browser has the sessions of all of them.
import type { Integration } from '../../kit/integration.ts';
import type { Registry } from '../../kit/registry.ts';

export const listCookieIntegrations = ({
  integrations,
}: Pick<Registry, 'integrations'>): readonly Integration[] =>
  integrations.filter(({ auth }) => auth.type === 'cookie');

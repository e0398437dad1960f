// Says what an operator has to do so that people can connect an integration: npm run catalog -- --setup <name>.
import { readConfig } from '../../src/config/config.ts';
import { editDistance } from '../../src/config/edit-distance.ts';
import { fillInstance } from '../../src/connections/model/instance.ts';
import { isPerInstance, redirectUriOf } from '../../src/connections/oauth/provider.ts';
import type { Integration } from '../../src/kit/integration.ts';
import type { OAuth2Block } from '../../src/kit/manifest.ts';
import type { Registry } from '../../src/kit/registry.ts';

const NEAREST = 3;

/** Throws an error with the nearest names when there is no such integration. */
export function describeSetup(registry: Registry, name: string, env: NodeJS.ProcessEnv): string {
  const integration = registry.integration(name.trim().toLowerCase());
  if (integration === null) throw new Error(unknownName(registry, name));
  const { auth, displayName } = integration;
  switch (auth.type) {
    case 'none':
      return `${displayName} is built in. There is nothing to set up.`;
    case 'cookie':
      return `${displayName} is connected with a sign-in in the live view, or with an imported session. It needs no OAuth client.`;
    case 'apikey':
      return `${displayName} is connected with an API key, which each person enters in the portal. It needs no OAuth client.`;
    case 'oauth2':
      return [...oauthLines(integration, auth, env), ...tokenLines(integration)].join('\n');
  }
}

function unknownName({ integrations }: Registry, name: string): string {
  const nearest = integrations
    .map((one) => ({ name: one.name, distance: editDistance(name.trim().toLowerCase(), one.name) }))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, NEAREST);
  return `There is no integration "${name}". The nearest names are ${nearest.map((one) => one.name).join(', ')}.`;
}

function oauthLines(integration: Integration, auth: OAuth2Block, env: NodeJS.ProcessEnv): string[] {
  const { name, displayName, instance } = integration;
  const variable = name.toUpperCase();
  const { registerUrl, registerHelp, clientAuth, scopes } = auth;
  const needsSecret = clientAuth !== 'none';
  return [
    `${displayName}: let people sign in with OAuth`,
    '',
    '1. Register an OAuth client at the provider.',
    ...(registerUrl === undefined
      ? []
      : [`   Page               ${fillInstance(registerUrl, instance?.default ?? null)}`]),
    `   Redirect address   ${redirectUriOf(name, { SERVER_PUBLIC_URL: publicUrl(env) })}`,
    `   Scopes             ${scopes.length === 0 ? 'none' : scopes.join(' ')}`,
    ...(registerHelp === undefined ? [] : [`   ${registerHelp}`]),
    '2. Enter the client in the portal as an administrator, or start the gateway with',
    `   ${variable}_CLIENT_ID=…`,
    ...(needsSecret ? [`   ${variable}_CLIENT_SECRET=…`] : []),
    ...(instance !== undefined && isPerInstance(auth)
      ? [
          `   An instance of your own needs a client of its own:`,
          `   ${variable}_INSTANCES='{"${new URL(instance.example).origin}": {"clientId": "…", "clientSecret": "…"}}'`,
        ]
      : []),
  ];
}

function tokenLines({ token, displayName, instance }: Integration): string[] {
  if (token === undefined) return [];
  const { url, help, scopes = [] } = token;
  return [
    '',
    `Without an OAuth client, each person can connect ${displayName} with a token in the portal.`,
    `   Page               ${fillInstance(url, instance?.default ?? instance?.example ?? null)}`,
    ...(scopes.length === 0 ? [] : [`   Permissions        ${scopes.join(' ')}`]),
    `   ${help}`,
  ];
}

/** Reads only the address. The secrets of the gateway are not needed here, and none is made. */
function publicUrl({ PORT, SERVER_PUBLIC_URL }: NodeJS.ProcessEnv): string {
  const unused = '0123456789abcdef'.repeat(4);
  const secrets = { SESSION_SECRET: unused, ENCRYPTION_KEY: unused };
  return readConfig({ PORT, SERVER_PUBLIC_URL, ...secrets }, () => unused).SERVER_PUBLIC_URL;
}

// Figma: files, their pictures, comments and versions.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

const SCOPES = [
  'current_user:read',
  'file_content:read',
  'file_comments:read',
  'file_comments:write',
  'file_versions:read',
  'projects:read',
  'library_content:read',
];

export const figma = defineIntegration({
  name: 'figma',
  version: '1.0.0',
  displayName: 'Figma',
  description: 'Files, their pictures, comments and versions',
  categories: ['design'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://www.figma.com/oauth',
    tokenUrl: 'https://api.figma.com/v1/oauth/token',
    // A refresh returns only an access token, so the refresh token stays.
    refreshUrl: 'https://api.figma.com/v1/oauth/refresh',
    registerUrl: 'https://www.figma.com/developers/apps',
    registerHelp:
      'Choose Create a new app and copy the secret at once, because Figma shows it only then. Add the redirect address under OAuth credentials, select the scopes under OAuth scopes, and publish the app.',
    scopes: SCOPES,
    scopeSeparator: ',',
    clientAuth: 'basic',
  },
  api: { base: 'https://api.figma.com', credential: { in: 'bearer' } },
  token: {
    fields: [
      {
        key: 'token',
        label: 'Personal access token',
        secret: true,
        required: true,
        placeholder: 'figd_…',
      },
    ],
    credential: { in: 'headers', headers: { 'x-figma-token': '{token}' } },
    url: 'https://www.figma.com/settings',
    help: 'On the Security tab, under Personal access tokens, choose Generate new token and tick the scopes below.',
    scopes: SCOPES,
  },
  probe: { request: 'GET /v1/me', id: '/id', label: '/email' },
  // Figma documents no request that ends a grant.
  revoke: { at: 'https://www.figma.com/settings' },
  words,
  tools,
});

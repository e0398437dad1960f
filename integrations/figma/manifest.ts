// Figma: files, their pictures, comments and versions.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';

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
    scopes: [
      'current_user:read',
      'file_content:read',
      'file_comments:read',
      'file_comments:write',
      'file_versions:read',
      'projects:read',
      'library_content:read',
    ],
    scopeSeparator: ',',
    clientAuth: 'basic',
  },
  api: { base: 'https://api.figma.com', credential: { in: 'bearer' } },
  tools,
});

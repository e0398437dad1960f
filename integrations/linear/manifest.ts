// Linear: one GraphQL address.
import { defineIntegration } from '../../src/kit/integration.ts';
import { issues } from './issues.ts';
import { logo } from './logo.ts';
import { projects } from './projects.ts';
import { teams } from './teams.ts';

export const linear = defineIntegration({
  name: 'linear',
  version: '1.0.0',
  displayName: 'Linear',
  description: 'Issues, projects, cycles and teams',
  categories: ['issues'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    scopes: ['read', 'write'],
    scopeSeparator: ',',
    clientAuth: 'post',
    // Acts as the person, not as an application, and asks for the workspace each time.
    authorizeParameters: { actor: 'user', prompt: 'consent' },
  },
  api: {
    base: 'https://api.linear.app',
    credential: { in: 'bearer' },
    // GraphQL reports refusals with status 200.
    refusal: {
      at: '/data',
      is: null,
      code: '/errors/0/extensions/code',
      unauthorized: ['AUTHENTICATION_ERROR'],
    },
  },
  tools: [...teams, ...issues, ...projects],
});

// Vercel: projects and deployments of an account or a team.
import { defineIntegration } from '../../src/kit/integration.ts';
import { deployments } from './deployments.ts';
import { logo } from './logo.ts';
import { projects } from './projects.ts';
import { words } from './words.ts';

export const vercel = defineIntegration({
  name: 'vercel',
  version: '1.0.0',
  displayName: 'Vercel',
  description: 'Projects, deployments, build logs, environment variables and domains',
  categories: ['code', 'ci'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'token',
        label: 'Access token',
        secret: true,
        required: true,
        help: 'Account Settings, Tokens. Its scope says which team it may use.',
      },
      {
        key: 'teamId',
        label: 'Team ID',
        secret: false,
        required: false,
        placeholder: 'team_…',
        help: 'The team that calls are for, from Settings, General of the team. Leave it empty for your own account.',
      },
    ],
  },
  api: { base: 'https://api.vercel.com', credential: { in: 'bearer' } },
  probe: { request: 'GET /v2/user', id: '/user/id', label: '/user/email', refused: [403] },
  revoke: { at: 'https://vercel.com/account/settings/tokens' },
  words,
  tools: [...projects, ...deployments],
});

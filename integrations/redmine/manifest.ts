// Redmine: issues, time and wiki pages of a self-hosted instance, which may be below a path.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const redmine = defineIntegration({
  name: 'redmine',
  version: '1.0.0',
  displayName: 'Redmine',
  description: 'Issues, time entries and wiki pages of your Redmine',
  categories: ['issues'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'apiKey',
        label: 'API access key',
        secret: true,
        required: true,
        help: 'My account, API access key, Show. Your administrator enables the REST API',
      },
    ],
  },
  instance: { required: true, example: 'https://redmine.example.com', path: true },
  api: {
    base: { instancePath: '' },
    credential: { in: 'headers', headers: { 'X-Redmine-API-Key': '{apiKey}' } },
  },
  probe: { request: 'GET /users/current.json', id: '/user/id', label: '/user/login' },
  revoke: { at: '{instance}/my/account' },
  words,
  tools,
});

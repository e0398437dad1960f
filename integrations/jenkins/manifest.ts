// Jenkins: jobs and builds of a self-hosted controller, through a person's browser session.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const jenkins = defineIntegration({
  name: 'jenkins',
  version: '1.0.0',
  displayName: 'Jenkins',
  description: 'Jobs, builds, logs and test reports of your Jenkins',
  categories: ['ci'],
  logo,
  auth: { type: 'cookie', loginUrl: '{instance}/login' },
  instance: { required: true, example: 'https://jenkins.example.com', path: true },
  api: {
    base: { instancePath: '' },
    credential: { in: 'cookie' },
    // The address names the action: POST …/doDelete deletes, and GET …/build?token= starts a build.
    methodsMeanNothing: true,
  },
  // Unlike `/me`, this answers without the permission to read.
  probe: { request: 'GET /whoAmI/api/json', id: '/name', label: '/name', anonymous: 'anonymous' },
  words,
  tools,
});

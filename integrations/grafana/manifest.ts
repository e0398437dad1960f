// Grafana: dashboards, data sources, alerts and annotations of a self-hosted instance.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const grafana = defineIntegration({
  name: 'grafana',
  version: '1.0.0',
  displayName: 'Grafana',
  description: 'Dashboards, queries, alerts and annotations',
  categories: ['observability'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      { key: 'token', label: 'Service account token', secret: true, required: true, placeholder: 'glsa_…' },
    ],
  },
  instance: { required: true, example: 'https://grafana.example.com', path: true },
  api: { base: { instancePath: '' }, credential: { in: 'bearer' } },
  probe: { request: 'GET /api/org', id: '/id', label: '/name' },
  revoke: { at: '{instance}/org/serviceaccounts' },
  words,
  tools,
});

// Datadog: monitors, metrics, events and dashboards, in the site of the account. Every call carries two
// secrets.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

const SITES = [
  'datadoghq.com',
  'us3.datadoghq.com',
  'us5.datadoghq.com',
  'datadoghq.eu',
  'ap1.datadoghq.com',
  'ap2.datadoghq.com',
  'ddog-gov.com',
  'us2.ddog-gov.com',
];

export const datadog = defineIntegration({
  name: 'datadog',
  version: '1.0.0',
  displayName: 'Datadog',
  description: 'Monitors, metrics, events and dashboards',
  categories: ['observability'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'site',
        label: 'Site',
        secret: false,
        required: true,
        options: SITES,
        help: 'The host in the address of your Datadog',
      },
      { key: 'apiKey', label: 'API key', secret: true, required: true },
      { key: 'applicationKey', label: 'Application key', secret: true, required: true },
    ],
  },
  api: {
    base: { by: 'site', bases: Object.fromEntries(SITES.map((site) => [site, `https://api.${site}`])) },
    credential: {
      in: 'headers',
      headers: { 'DD-API-KEY': '{apiKey}', 'DD-APPLICATION-KEY': '{applicationKey}' },
    },
  },
  // Proves both keys. No request that every key may send names the organization.
  // Datadog answers 403 to wrong keys.
  probe: { request: 'GET /api/v2/validate_keys', refused: [403] },
  revoke: { at: 'https://app.datadoghq.com/organization-settings/application-keys' },
  words,
  tools,
});

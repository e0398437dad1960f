// Test integrations of every kind, for the engine and its surfaces.
import * as z from 'zod';
import { time } from '../../integrations/time/manifest.ts';
import { defineIntegration, type Integration, tool } from '../../src/kit/integration.ts';
import type { Auth } from '../../src/kit/manifest.ts';

const about = { version: '1.2.3', description: 'A fixture', categories: ['test'], logo: null } as const;
// One red pixel as a PNG.
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

export const gate = { open: () => {}, active: 0, most: 0 };

const echo = defineIntegration({
  ...about,
  name: 'echo',
  displayName: 'Echo',
  logo: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  auth: { type: 'none' },
  tools: [
    tool(
      'echo_list_pull_requests',
      'List pull requests of a repository',
      () => ({
        owner: z.string(),
        repo: z.string(),
        state: z.enum(['open', 'closed', 'all']).default('open'),
        perPage: z.number().default(10),
        page: z.number().default(1),
      }),
      (args) => args,
    ),
    tool(
      'echo_fail',
      'Always fails',
      () => ({ message: z.string().default('upstream said no') }),
      ({ message }) => {
        throw new Error(message);
      },
    ),
    tool(
      'echo_nothing',
      'Answers nothing',
      () => ({}),
      () => undefined,
    ),
    tool(
      'echo_text',
      'A text of any length',
      () => ({ length: z.int(), unit: z.string().default('x') }),
      ({ length, unit }) => unit.repeat(length),
    ),
    tool(
      'echo_items',
      'Many items',
      () => ({ count: z.int() }),
      ({ count }) =>
        Array.from({ length: count }, (_, index) => ({
          index,
          name: `item ${index}`,
          body: 'y'.repeat(100),
        })),
    ),
    tool(
      'echo_image',
      'A picture',
      () => ({}),
      () => ({ _mcpImage: { data: PIXEL, mimeType: 'image/png' } }),
    ),
    tool(
      'echo_not_an_image',
      'Something that only looks like a picture',
      () => ({}),
      () => ({
        _mcpImage: { data: '<script>', mimeType: 'text/html' },
      }),
    ),
    tool(
      'echo_wait',
      'Counts how many run at once',
      () => ({}),
      async (_args, { clock }) => {
        gate.active++;
        gate.most = Math.max(gate.most, gate.active);
        await clock.turn();
        await clock.turn();
        gate.active--;
        return 'done';
      },
    ),
    tool(
      'shout',
      'Built in, without a prefix',
      () => ({ text: z.string() }),
      ({ text }) => text.toUpperCase(),
    ),
  ],
});

const vaultedAuth: Auth = {
  type: 'oauth2',
  authorizeUrl: '{instance}/authorize',
  tokenUrl: '{instance}/token',
  scopes: ['read', 'write'],
  clientAuth: 'post',
};
const keyedAuth: Auth = {
  type: 'apikey',
  fields: [
    { key: 'region', label: 'Region', secret: false, required: true, options: ['us', 'eu'] },
    { key: 'apiKey', label: 'API key', secret: true, required: true },
    { key: 'appKey', label: 'Application key', secret: true, required: false },
    { key: 'note', label: 'Note', secret: false, required: false },
  ],
};
const jarAuth: Auth = { type: 'cookie', loginUrl: '{instance}/login' };

type Block = Pick<Integration, 'auth' | 'api' | 'instance' | 'token' | 'probe' | 'revoke'>;

const secured = (name: string, displayName: string, block: Block) =>
  defineIntegration({
    ...about,
    ...block,
    name,
    displayName,
    tools: [
      tool(
        `${name}_whoami`,
        `Who you are at ${displayName}`,
        () => ({ strict: z.boolean().optional() }),
        () => `me at ${name}`,
      ),
      tool(
        `${name}_get`,
        'Reads a path',
        () => ({ path: z.string() }),
        async ({ path }, { upstream }) => {
          const response = await upstream({ method: 'GET', path });
          return { status: response.status, body: await response.text() };
        },
      ),
    ],
  });

/** An OAuth integration that also takes tokens, names its accounts and revokes its grants. */
export const probed = secured('probed', 'Probed', {
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://probed.example/authorize',
    tokenUrl: 'https://probed.example/token',
    scopes: ['read'],
    clientAuth: 'post',
  },
  api: { base: 'https://probed.example/api', credential: { in: 'bearer' } },
  token: {
    fields: [
      { key: 'email', label: 'E-mail address', secret: false, required: true },
      { key: 'token', label: 'Personal token', secret: true, required: true },
    ],
    credential: { in: 'headers', headers: { 'x-token': '{token}', 'x-email': '{email}' } },
    base: 'https://probed.example/personal',
    url: 'https://probed.example/settings/tokens',
    help: 'Make a token that may read.',
  },
  probe: { request: 'GET /whoami', id: '/user/id', label: '/user/name', anonymous: 0 },
  revoke: {
    at: 'https://probed.example/settings/apps',
    request: {
      method: 'POST',
      url: 'https://probed.example/revoke',
      auth: 'client',
      body: { type: 'form', fields: { token: '{token}', client_id: '{client_id}' } },
      gone: [410],
    },
  },
});

export const fixtures: readonly Integration[] = [
  echo,
  secured('vaulted', 'Vaulted', {
    auth: vaultedAuth,
    instance: {
      required: false,
      default: 'https://vaulted.example',
      example: 'https://vaulted.corp.example',
    },
    api: { base: { instancePath: '/api' }, credential: { in: 'bearer' } },
  }),
  secured('keyed', 'Keyed', {
    auth: keyedAuth,
    api: {
      base: { by: 'region', bases: { us: 'https://us.keyed.example', eu: 'https://eu.keyed.example' } },
      credential: { in: 'headers', headers: { 'x-key': '{apiKey}', 'x-app': '{appKey}' } },
      headers: { accept: 'application/vnd.keyed+json', 'keyed-version': '2' },
    },
  }),
  secured('jar', 'Jar', {
    auth: jarAuth,
    instance: { required: true, example: 'https://wiki.corp.example/w', path: true },
    api: { base: { instancePath: '' }, credential: { in: 'cookie' } },
  }),
];

/** A small set of integrations for tests that list all of them. */
export const smallWorld: readonly Integration[] = [time, ...fixtures];

// Integrations of every kind for the tests of the engine and its surfaces.
import * as z from 'zod';
import { defineIntegration, type Integration, tool } from '../../src/integration.ts';

const about = { version: '1.2.3', description: 'A fixture', categories: ['test'], logo: null } as const;
// One red pixel.
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

export const gate = { open: () => {}, active: 0, most: 0 };

const echo = defineIntegration({
  ...about,
  name: 'echo',
  displayName: 'Echo',
  logo: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  authType: 'none',
  tools: [
    tool(
      'echo_list_pull_requests',
      'List pull requests of a repository',
      {
        owner: z.string(),
        repo: z.string(),
        state: z.enum(['open', 'closed', 'all']).default('open'),
        perPage: z.number().default(10),
        page: z.number().default(1),
      },
      (args) => args,
    ),
    tool('echo_fail', 'Always fails', { message: z.string().default('upstream said no') }, ({ message }) => {
      throw new Error(message);
    }),
    tool('echo_nothing', 'Answers nothing', {}, () => undefined),
    tool(
      'echo_text',
      'A text of any length',
      { length: z.int(), unit: z.string().default('x') },
      ({ length, unit }) => unit.repeat(length),
    ),
    tool('echo_items', 'Many items', { count: z.int() }, ({ count }) =>
      Array.from({ length: count }, (_, index) => ({ index, name: `item ${index}`, body: 'y'.repeat(100) })),
    ),
    tool('echo_image', 'A picture', {}, () => ({ _mcpImage: { data: PIXEL, mimeType: 'image/png' } })),
    tool('echo_not_an_image', 'Something that only looks like a picture', {}, () => ({
      _mcpImage: { data: '<script>', mimeType: 'text/html' },
    })),
    tool('echo_wait', 'Counts how many run at once', {}, async (_args, { clock }) => {
      gate.active++;
      gate.most = Math.max(gate.most, gate.active);
      await clock.turn();
      await clock.turn();
      gate.active--;
      return 'done';
    }),
    tool('shout', 'Built in, without a prefix', { text: z.string() }, ({ text }) => text.toUpperCase()),
  ],
});

const secured = (name: string, displayName: string, authType: Integration['authType']) =>
  defineIntegration({
    ...about,
    name,
    displayName,
    authType,
    tools: [
      tool(
        `${name}_whoami`,
        `Who you are at ${displayName}`,
        { strict: z.boolean().optional() },
        () => `me at ${name}`,
      ),
    ],
  });

export const fixtures: readonly Integration[] = [
  echo,
  secured('vaulted', 'Vaulted', 'oauth2'),
  secured('keyed', 'Keyed', 'apikey'),
  secured('jar', 'Jar', 'cookie'),
];

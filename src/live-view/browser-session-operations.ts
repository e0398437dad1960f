// Describes the routes of a person's whole browser, and declares their bodies. reference: Browser sessions
import * as z from 'zod';
import { browserHeader } from '../connections/model/schemas.ts';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';

export const LiveUrl = z.object({
  url: z
    .string()
    .refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    .describe('The http or https address at which the browser opens')
    .optional(),
});

const browserLink = () => z.object({ url: z.string().describe('A connect link, for one use') });
export type BrowserLink = z.infer<ReturnType<typeof browserLink>>;

const IN_USE = failure('The browser is in use');

export const browserSessionOperations: Operations = () => ({
  'POST /api/browser-session/reset': {
    id: 'resetBrowser',
    tag: 'Browser',
    summary: 'Wipe your browser profile on the gateway',
    access: 'destroy',
    caller: 'portal',
    headers: browserHeader(),
    replies: {
      200: succeeded('The profile is gone'),
      400: failure('A wrong header, or the profile could not be wiped'),
      409: IN_USE,
    },
  },
  'POST /api/browser-session/live-url': {
    id: 'createBrowserLink',
    tag: 'Browser',
    summary: 'Make a link to your browser on the gateway',
    access: 'write',
    caller: 'portal',
    body: { schema: LiveUrl, optional: true, example: { url: 'https://example.com/' } },
    replies: {
      200: reply('The link', browserLink()),
      400: failure('The address is not http or https'),
      409: IN_USE,
    },
  },
});

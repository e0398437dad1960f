// Describes the route that connects with an API key or a token, and declares its body. reference: API key form
import * as z from 'zod';
import { failure, type Operations, reply } from '../../http/operation.ts';
import { accountAtProvider, CHECKED_REPLIES, forTeam, wantedLabel } from '../model/schemas.ts';

export const KeyForm = z.object({
  values: z.record(z.string(), z.string()),
  account: wantedLabel(),
  for: forTeam(),
});

const keySaved = () =>
  z.object({
    success: z.literal(true),
    status: z.enum(['ok', 'unverified']).describe('`unverified` when the provider could not be asked'),
    account: accountAtProvider().exactOptional(),
  });
export type KeySaved = z.infer<ReturnType<typeof keySaved>>;

export const apiKeyOperations: Operations = () => ({
  'POST /api/auth/apikey/:integration': {
    id: 'connectWithApiKey',
    tag: 'Connecting',
    summary: 'Connect an integration with an API key or a token',
    access: 'write',
    caller: 'portal',
    body: { schema: KeyForm, example: { values: { apiKey: '…' } } },
    replies: {
      200: reply('The key is stored', keySaved()),
      400: failure(
        'A field is missing or wrong, the provider refuses the key, or `account` must say whose key it is',
      ),
      404: failure('Unknown integration, or one that takes neither an API key nor a token'),
      ...CHECKED_REPLIES,
      503: failure('The provider that exchanges a client ID and secret for a token cannot be asked now'),
    },
  },
});

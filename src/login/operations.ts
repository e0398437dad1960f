// Describes the routes that begin a sign-in. reference: Portal sign-in
import * as z from 'zod';
import { failure, type Operation, type Operations, reply } from '../http/operation.ts';

const providerName = () => z.enum(['hosted', 'idp']);
const providerList = () =>
  z.object({
    providers: z.array(providerName()),
    names: z.partialRecord(providerName(), z.string()).describe('What people call them').exactOptional(),
  });
const signInStart = () => z.object({ url: z.string().describe('Where the person signs in') });
export type ProviderList = z.infer<ReturnType<typeof providerList>>;
export type SignInStart = z.infer<ReturnType<typeof signInStart>>;

const start = (id: string, summary: string): Operation => ({
  id,
  tag: 'Sign-in',
  summary,
  description:
    'Afterwards the provider sends the browser to a callback of the gateway, which redirects to the portal.',
  access: 'write',
  caller: 'anyone',
  replies: {
    200: reply("The provider's address", signInStart()),
    429: failure('Too many sign-ins from this address'),
    503: failure('The provider is not enabled or cannot be reached'),
  },
});

export const loginOperations: Operations = () => ({
  'GET /api/auth/providers': {
    id: 'listSignInProviders',
    tag: 'Sign-in',
    summary: 'List the sign-in providers',
    access: 'read',
    caller: 'anyone',
    query: z.object({ names: z.string().describe('Set for what people call them').optional() }),
    replies: { 200: reply('The providers that are enabled', providerList()) },
  },
  'GET /api/auth/hosted': start('startHostedSignIn', 'Begin a sign-in with the hosted provider'),
  'GET /api/auth/idp': start('startIdpSignIn', "Begin a sign-in with the operator's own provider"),
});

// Runs what is expected of one account where the person has two others: connecting, checking, refreshing and disconnecting.
// reference: Several accounts
import { describeWithOthers } from '../support/other-accounts.ts';

const UNKNOWN_AFTERWARDS = 'the label of an account that was disconnected is unknown';
const OTHERS_STAY = 'the integration stays connected with the others';
const COUNTS = 'it counts credentials, and the others have some too';
const UNNAMED = 'a key that does not say whose it is has to name its account';
const ADDS = 'it adds an account of its own';

describeWithOthers([
  { name: 'checks', load: () => import('../spec/connection-checks.test.ts') },
  {
    name: 'disconnecting',
    load: () => import('../spec/disconnect.test.ts'),
    only: {
      'ends the grant with the client of the gateway, and finds it ended': UNKNOWN_AFTERWARDS,
      'stays pending while the provider still accepts it, with longer and longer pauses, for a day':
        UNKNOWN_AFTERWARDS,
      'deletes the cookies of a session from the browser too': OTHERS_STAY,
    },
  },
  {
    name: 'refreshes',
    load: () => import('../spec/token-refresh.test.ts'),
    only: {
      'are small, and each is opened once': COUNTS,
      'take at most a few megabytes: large ones are opened again': COUNTS,
      'take the same limited memory in the proxy for small sessions': COUNTS,
      'take the same limited memory in the proxy for large sessions': COUNTS,
    },
  },
  { name: 'stored credentials', load: () => import('../spec/stored-credentials.test.ts') },
  {
    name: 'entered credentials',
    load: () => import('../spec/credential-entry.test.ts'),
    only: {
      'does not bring back a connection that was ended meanwhile': OTHERS_STAY,
      'read at most 128 KiB of an answer': UNNAMED,
    },
  },
  {
    name: 'keys',
    load: () => import('../spec/connect-api-key.test.ts'),
    only: {
      'adds an account for another address, and for a region': ADDS,
      'clears the fields that the new form leaves out': UNNAMED,
      'asks for an instance once: a new key uses the instance of the key before': UNNAMED,
    },
  },
  {
    name: 'OAuth',
    load: () => import('../spec/connect.test.ts'),
    only: { 'deletes only the local row': OTHERS_STAY },
  },
  { name: 'ways to connect', load: () => import('../spec/ways.test.ts') },
  {
    name: 'the API of the portal',
    load: () => import('../spec/portal-api.test.ts'),
    only: { 'disconnects, and answers the same a second time': UNKNOWN_AFTERWARDS },
  },
  { name: 'revocations', load: () => import('../integrations/revocations.test.ts') },
  { name: 'checks of integrations', load: () => import('../integrations/checks.test.ts') },
]);

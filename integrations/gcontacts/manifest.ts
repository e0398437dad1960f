// Google Contacts: the People API, version 1.
import { defineIntegration } from '../../src/kit/integration.ts';
import { ACCOUNT_HOST, ACCOUNT_SCOPES, accountProbe, whoami } from '../google/account.ts';
import { googleGrants, googleSignIn } from '../google/oauth.ts';
import { contacts } from './contacts.ts';
import { groups } from './groups.ts';
import { logo } from './logo.ts';
import { words } from './words.ts';

export const gcontacts = defineIntegration({
  name: 'gcontacts',
  version: '1.0.0',
  displayName: 'Google Contacts',
  description: 'Find and keep the contacts of Google Contacts',
  categories: ['messaging'],
  logo,
  auth: {
    ...googleSignIn,
    scopes: [
      'https://www.googleapis.com/auth/contacts',
      'https://www.googleapis.com/auth/contacts.other.readonly',
      'https://www.googleapis.com/auth/directory.readonly',
      ...ACCOUNT_SCOPES,
    ],
  },
  api: {
    base: 'https://people.googleapis.com/v1',
    others: { account: ACCOUNT_HOST },
    credential: { in: 'bearer' },
    // A POST of batchDeleteContacts deletes contacts.
    methodsMeanNothing: 'except GET',
  },
  probe: accountProbe,
  revoke: googleGrants,
  words,
  tools: [whoami('gcontacts'), ...contacts, ...groups],
});

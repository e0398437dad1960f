// Google Contacts: the People API, version 1.
import { defineWithAccount } from '../google/account.ts';
import { contacts } from './contacts.ts';
import { groups } from './groups.ts';
import { logo } from './logo.ts';
import { words } from './words.ts';

export const gcontacts = defineWithAccount({
  name: 'gcontacts',
  version: '1.0.0',
  displayName: 'Google Contacts',
  description: 'Find and keep the contacts of Google Contacts',
  categories: ['messaging'],
  logo,
  scopes: [
    'https://www.googleapis.com/auth/contacts',
    'https://www.googleapis.com/auth/contacts.other.readonly',
    'https://www.googleapis.com/auth/directory.readonly',
  ],
  api: {
    base: 'https://people.googleapis.com/v1',
    // A POST of batchDeleteContacts deletes contacts.
    methodsMeanNothing: 'except GET',
  },
  words,
  tools: [...contacts, ...groups],
});

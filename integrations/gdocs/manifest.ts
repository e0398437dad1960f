// Google Docs, version 1. Texts are Markdown in both directions. Only Google Drive can list the documents of a person.
import { defineIntegration } from '../../src/kit/integration.ts';
import { ACCOUNT_HOST, ACCOUNT_SCOPES, accountProbe, whoami } from '../google/account.ts';
import { DRIVE_HOST, DRIVE_SCOPE } from '../google/drive-files.ts';
import { googleGrants, googleSignIn } from '../google/oauth.ts';
import { changes } from './changes.ts';
import { logo } from './logo.ts';
import { reading } from './reading.ts';
import { writing } from './writing.ts';
import { words } from './words.ts';

export const gdocs = defineIntegration({
  name: 'gdocs',
  version: '1.0.0',
  displayName: 'Google Docs',
  description: 'Read, write and edit documents of Google Docs as Markdown',
  categories: ['docs'],
  logo,
  auth: {
    ...googleSignIn,
    scopes: ['https://www.googleapis.com/auth/documents', DRIVE_SCOPE, ...ACCOUNT_SCOPES],
  },
  api: {
    base: 'https://docs.googleapis.com/v1',
    others: { drive: DRIVE_HOST, account: ACCOUNT_HOST },
    credential: { in: 'bearer' },
    // A POST of batchUpdate may delete the whole text.
    methodsMeanNothing: 'except GET',
  },
  probe: accountProbe,
  revoke: googleGrants,
  words,
  tools: [whoami('gdocs'), ...reading, ...writing, ...changes],
});

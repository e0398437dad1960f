// Google Sheets, version 4. Only Google Drive can list the spreadsheets of a person.
import { defineIntegration } from '../../src/kit/integration.ts';
import { ACCOUNT_HOST, ACCOUNT_SCOPES, accountProbe, whoami } from '../google/account.ts';
import { DRIVE_HOST, DRIVE_SCOPE } from '../google/drive-files.ts';
import { googleGrants, googleSignIn } from '../google/oauth.ts';
import { format } from './format.ts';
import { logo } from './logo.ts';
import { sheets } from './sheets.ts';
import { values } from './values.ts';
import { words } from './words.ts';

export const gsheets = defineIntegration({
  name: 'gsheets',
  version: '1.0.0',
  displayName: 'Google Sheets',
  description: 'Read, write and format spreadsheets of Google Sheets',
  categories: ['docs'],
  logo,
  auth: {
    ...googleSignIn,
    scopes: ['https://www.googleapis.com/auth/spreadsheets', DRIVE_SCOPE, ...ACCOUNT_SCOPES],
  },
  api: {
    base: 'https://sheets.googleapis.com/v4',
    others: { drive: DRIVE_HOST, account: ACCOUNT_HOST },
    credential: { in: 'bearer' },
    // A POST of batchUpdate may delete a sheet.
    methodsMeanNothing: 'except GET',
  },
  probe: accountProbe,
  revoke: googleGrants,
  words,
  tools: [whoami('gsheets'), ...values, ...sheets, ...format],
});

// Google Sheets, version 4. Only Google Drive can list the spreadsheets of a person.
import { defineWithAccount } from '../google/account.ts';
import { DRIVE_HOST, DRIVE_SCOPE } from '../google/drive-files.ts';
import { format } from './format.ts';
import { logo } from './logo.ts';
import { sheets } from './sheets.ts';
import { values } from './values.ts';
import { words } from './words.ts';

export const gsheets = defineWithAccount({
  name: 'gsheets',
  version: '1.0.0',
  displayName: 'Google Sheets',
  description: 'Read, write and format spreadsheets of Google Sheets',
  categories: ['docs'],
  logo,
  scopes: ['https://www.googleapis.com/auth/spreadsheets', DRIVE_SCOPE],
  api: {
    base: 'https://sheets.googleapis.com/v4',
    others: { drive: DRIVE_HOST },
    // A POST of batchUpdate may delete a sheet.
    methodsMeanNothing: 'except GET',
  },
  words,
  tools: [...values, ...sheets, ...format],
});

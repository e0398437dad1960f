// Google Docs, version 1. Texts are Markdown in both directions. Only Google Drive can list the documents of a person.
import { defineWithAccount } from '../google/account.ts';
import { DRIVE_HOST, DRIVE_SCOPE } from '../google/drive-files.ts';
import { changes } from './changes.ts';
import { logo } from './logo.ts';
import { reading } from './reading.ts';
import { writing } from './writing.ts';
import { words } from './words.ts';

export const gdocs = defineWithAccount({
  name: 'gdocs',
  version: '1.0.0',
  displayName: 'Google Docs',
  description: 'Read, write and edit documents of Google Docs as Markdown',
  categories: ['docs'],
  logo,
  scopes: ['https://www.googleapis.com/auth/documents', DRIVE_SCOPE],
  api: {
    base: 'https://docs.googleapis.com/v1',
    others: { drive: DRIVE_HOST },
    // A POST of batchUpdate may delete the whole text.
    methodsMeanNothing: 'except GET',
  },
  words,
  tools: [...reading, ...writing, ...changes],
});

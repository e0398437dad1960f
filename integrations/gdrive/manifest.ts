// Google Drive, version 3.
import { defineIntegration } from '../../src/kit/integration.ts';
import { googleGrants, googleSignIn } from '../google/oauth.ts';
import { content } from './content.ts';
import { files } from './files.ts';
import { logo } from './logo.ts';
import { sharing } from './sharing.ts';
import { words } from './words.ts';

export const gdrive = defineIntegration({
  name: 'gdrive',
  version: '1.0.0',
  displayName: 'Google Drive',
  description: 'Find, read, write and share files on Google Drive',
  categories: ['files'],
  logo,
  auth: { ...googleSignIn, scopes: ['https://www.googleapis.com/auth/drive'] },
  api: {
    base: 'https://www.googleapis.com/drive/v3',
    others: { upload: 'https://www.googleapis.com/upload/drive/v3' },
    credential: { in: 'bearer' },
  },
  probe: { request: 'GET /about?fields=user', id: '/user/permissionId', label: '/user/emailAddress' },
  revoke: googleGrants,
  words,
  tools: [...files, ...content, ...sharing],
});

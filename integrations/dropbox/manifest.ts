// Dropbox, version 2 of its API. Every request is a POST, and the bytes of files have a host of their own.
import { defineIntegration } from '../../src/kit/integration.ts';
import { content } from './content.ts';
import { files } from './files.ts';
import { logo } from './logo.ts';
import { account, sharing } from './sharing.ts';
import { words } from './words.ts';

const SCOPES = [
  'account_info.read',
  'files.metadata.read',
  'files.content.read',
  'files.content.write',
  'sharing.read',
  'sharing.write',
];

export const dropbox = defineIntegration({
  name: 'dropbox',
  version: '1.0.0',
  displayName: 'Dropbox',
  description: 'Find, read, write and share files on Dropbox',
  categories: ['files'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
    registerUrl: 'https://www.dropbox.com/developers/apps',
    registerHelp: `Choose Create app with Scoped access and Full Dropbox, and enter the redirect address under OAuth 2. Tick these on the page Permissions: ${SCOPES.join(', ')}.`,
    scopes: SCOPES,
    clientAuth: 'post',
    // Without this Dropbox returns no refresh token, and access ends after four hours.
    authorizeParameters: { token_access_type: 'offline' },
  },
  api: {
    base: 'https://api.dropboxapi.com/2',
    others: { content: 'https://content.dropboxapi.com/2' },
    credential: { in: 'bearer' },
    methodsMeanNothing: 'except GET',
  },
  probe: { request: 'POST /users/get_current_account', body: 'null', id: '/account_id', label: '/email' },
  revoke: {
    at: 'https://www.dropbox.com/account/connected_apps',
    request: { method: 'POST', url: 'https://api.dropboxapi.com/2/auth/token/revoke', auth: 'token' },
  },
  words,
  tools: [...account, ...files, ...content, ...sharing],
});

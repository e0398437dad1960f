// What Google's integrations share: how people sign in, and the spelling of its APIs.
import * as z from 'zod';
import type { OAuth2Block, Revoke } from '../../src/kit/manifest.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

export const googleSignIn: Omit<OAuth2Block, 'scopes'> = {
  type: 'oauth2',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  registerUrl: 'https://console.cloud.google.com/auth/clients',
  registerHelp:
    'Choose a project and then Create client with the type Web application, and enter the redirect address under Authorized redirect URIs. Enable the API of each in the project too; Google Sheets and Google Docs also need the Drive API.',
  clientAuth: 'post',
  family: { name: 'google', displayName: 'Google' },
  // Without `access_type` and `prompt` Google returns a refresh token only at the first consent, or none.
  // `include_granted_scopes` keeps what the same client was granted before, for another integration.
  authorizeParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
};

/** Ends the whole grant of the client: also what the same client was granted for another integration. */
export const googleGrants: Revoke = {
  at: 'https://myaccount.google.com/connections',
  request: {
    method: 'POST',
    url: 'https://oauth2.googleapis.com/revoke',
    auth: 'none',
    body: { type: 'form', fields: { token: '{token}' } },
    gone: [400],
  },
};

export const { row, send, toCall } = createRows({ names: 'camelCase', lists: 'repeat' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const texts = z.array(text);
export const object = z.record(text, z.unknown());

export const pageToken = some.describe('nextPageToken of the previous page');

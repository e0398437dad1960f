// Supabase: projects and their databases, by its Management API.
import { defineIntegration } from '../../src/kit/integration.ts';
import { database } from './database.ts';
import { logo } from './logo.ts';
import { projects } from './projects.ts';
import { words } from './words.ts';

export const supabase = defineIntegration({
  name: 'supabase',
  version: '1.0.0',
  displayName: 'Supabase',
  description: 'Projects, tables, SQL, migrations, logs, edge functions and branches',
  categories: ['code'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'token',
        label: 'Access token',
        secret: true,
        required: true,
        placeholder: 'sbp_…',
        help: 'Account, Access Tokens. It may do what you may do in every organization; the keys of a project do not work.',
      },
    ],
  },
  api: { base: 'https://api.supabase.com', credential: { in: 'bearer' } },
  probe: { request: 'GET /v1/organizations' },
  revoke: { at: 'https://supabase.com/dashboard/account/tokens' },
  words,
  tools: [...projects, ...database],
});

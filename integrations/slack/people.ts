// The people of a workspace.
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { paging, row, text, toCall } from './api.ts';

export const people: readonly Tool[] = [
  row('slack_list_users', 'GET /users.list', 'List the people of the workspace', () => paging(100)),
  row('slack_get_user', 'GET /users.info', 'Get one person with the profile', () => ({
    user: text.describe('User id such as U0123456789, from slack_list_users'),
  })),
  row('slack_lookup_user_by_email', 'GET /users.lookupByEmail', 'Find a person by e-mail address', () => ({
    email: text.describe('E-mail address in the workspace'),
  })),
  tool(
    'slack_set_status',
    'Set the status of the connected person, or other fields of the profile',
    () => ({
      profile: text.describe(
        'Fields as JSON text, such as {"status_text": "Lunch", "status_emoji": ":sandwich:", "status_expiration": 0}',
      ),
    }),
    async ({ profile }, { upstream }) => {
      // The API takes this field as JSON within a form.
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams({ profile }).toString();
      return readPayload(await upstream({ ...toCall('POST /users.profile.set'), headers, body }));
    },
    'write',
  ),
];

// The people of a workspace.
import { type Tool, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { paging, row, text, toCall } from './api.ts';

export const people: readonly Tool[] = [
  row('slack_list_users', 'GET /users.list', 'List the people of the workspace, paged by cursor', () =>
    paging(100),
  ),
  row('slack_get_user', 'GET /users.info', 'Get one person', () => ({
    user: text.describe('Id, such as U0123456789'),
  })),
  row('slack_lookup_user_by_email', 'GET /users.lookupByEmail', 'Find a person by mail address', () => ({
    email: text,
  })),
  tool(
    'slack_set_status',
    'Set one’s own status, or other fields of one’s profile',
    () => ({
      profile: text.describe(
        'JSON such as {"status_text": "Lunch", "status_emoji": ":sandwich:", "status_expiration": 0}',
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

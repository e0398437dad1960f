// Users, organizations and groups.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import {
  cursorNames,
  cursorPage,
  id,
  numberPage,
  PERSON,
  pick,
  row,
  send,
  showList,
  showOrganization,
  showUser,
  some,
  text,
} from './fields.ts';

const User = z.object({ user: z.unknown() });
const shownUser = (payload: unknown) => showUser(User.parse(payload).user);

export const people: readonly Tool[] = [
  row('zendesk_whoami', 'GET /users/me', 'Show who is connected', () => ({}), { result: shownUser }),
  row(
    'zendesk_search_users',
    'GET /users/search',
    'Search customers and agents by a part of their name or e-mail address',
    () => ({
      query: text.describe('Part of a name, an address, or a query such as role:agent'),
      ...numberPage(),
    }),
    { result: (payload) => showList(payload, 'users', showUser) },
  ),
  row(
    'zendesk_get_user',
    'GET /users/{userId}',
    'Get a user by id',
    () => ({ userId: id.describe(PERSON) }),
    {
      result: shownUser,
    },
  ),
  tool(
    'zendesk_create_user',
    'Create a customer or an agent',
    () => ({
      name: text.describe('Name of the person'),
      email: some.describe('Address of the person'),
      role: z.enum(['end-user', 'agent', 'admin']).default('end-user').describe('end-user is a customer'),
      organizationId: id.optional().describe('Organization by `id`, from zendesk_search_organizations'),
      phone: some.describe('Telephone number'),
    }),
    async ({ organizationId, ...user }, { upstream }) =>
      shownUser(await send(upstream, 'POST /users', { user: { ...user, organization_id: organizationId } })),
    'write',
  ),
  row(
    'zendesk_search_organizations',
    'GET /organizations/autocomplete',
    'Search organizations, which are the companies of customers, by the beginning of their name',
    () => ({ name: text.min(2).describe('Beginning of the name'), ...numberPage() }),
    { result: (payload) => showList(payload, 'organizations', showOrganization) },
  ),
  row('zendesk_list_groups', 'GET /groups', 'List the groups of agents', () => cursorPage(), {
    names: cursorNames,
    result: (payload) =>
      showList(payload, 'groups', (group) => pick(group, ['id', 'name', 'description', 'default'])),
  }),
];

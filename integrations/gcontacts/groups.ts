// Groups of contacts, which Google's own pages call labels.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { flag, pageToken, row, send, text } from '../google/oauth.ts';
import { contactIds } from './person.ts';

const GROUP = '/{groupId+}';
const groupId = text
  .regex(/^contactGroups\/[\w-]+$/, 'is not an id such as contactGroups/1a2b')
  .describe('Id of a group, from gcontacts_list_groups, such as contactGroups/1a2b');
const name = text.describe('Name of the group, such as Suppliers');

export const groups: readonly Tool[] = [
  row('gcontacts_list_groups', 'GET /contactGroups', 'List the groups (labels) of contacts', () => ({
    pageSize: z.int().default(100).describe('Groups per page, at most 1000'),
    pageToken,
  })),
  row('gcontacts_get_group', `GET ${GROUP}`, 'Get a group with the ids of its contacts', () => ({
    groupId,
    maxMembers: z.int().default(100).describe('Contacts to list, at most'),
  })),
  tool(
    'gcontacts_create_group',
    'Create a group (label) of contacts',
    () => ({ name }),
    (contactGroup, { upstream }) => send(upstream, 'POST /contactGroups', { contactGroup }),
    'write',
  ),
  tool(
    'gcontacts_rename_group',
    'Rename a group of contacts',
    () => ({ groupId, name }),
    ({ groupId: id, ...contactGroup }, { upstream }) =>
      send(upstream, `PUT ${GROUP}`, { groupId: id, contactGroup, updateGroupFields: 'name' }),
    'write',
  ),
  row(
    'gcontacts_delete_group',
    `DELETE ${GROUP}`,
    'Delete a group; its contacts stay unless deleteContacts is true',
    () => ({ groupId, deleteContacts: flag.describe('true deletes the contacts in it too') }),
  ),
  row(
    'gcontacts_change_group_members',
    `POST ${GROUP}/members:modify`,
    'Add contacts to a group, or remove them from it',
    () => ({
      groupId,
      resourceNamesToAdd: contactIds.optional(),
      resourceNamesToRemove: contactIds.optional(),
    }),
  ),
];

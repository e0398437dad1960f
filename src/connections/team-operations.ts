// Describes the routes of team connections, and declares their bodies and answers. reference: Team connections
import * as z from 'zod';
import { failure, type Operations, reply } from '../http/operation.ts';
import { ACCESS_LEVELS } from '../kit/access.ts';
import { GroupNames } from '../kit/group-names.ts';
import { connectionState, disconnected } from './operations.ts';

/** As many people as a rule names. More people than these are everyone. */
export const MAX_TEAM_PEOPLE = 500;
const MAX_NAME_CHARACTERS = 254;

export const TeamChange = z.strictObject({
  who: z
    .union([z.literal('everyone'), z.array(z.string().min(1).max(MAX_NAME_CHARACTERS)).max(MAX_TEAM_PEOPLE)])
    .describe('Who may use it: everyone, or these people, by id or e-mail address')
    .optional(),
  groups: GroupNames.describe('The groups whose people may use it too; an empty list for none').optional(),
  access: z.enum(ACCESS_LEVELS).describe('What a call may do at most').optional(),
});
export type TeamChange = z.input<typeof TeamChange>;

const person = () =>
  z.object({ id: z.string(), email: z.string().nullable().describe('Null for a person who is gone') });

export const teamState = () =>
  connectionState()
    .pick({ health: true, status: true, cause: true, since: true, checkedAt: true, account: true, way: true })
    .extend({
      integration: z.string(),
      who: z.union([z.literal('everyone'), z.array(person())]).describe('Who may use it'),
      groups: z
        .array(z.string())
        .describe('The groups whose people may use it too. Absent without any')
        .exactOptional(),
      access: z.enum(ACCESS_LEVELS).describe('What a call may do at most'),
      connectedBy: person()
        .nullable()
        .describe('The administrator who connected it last; a pseudonym without an address after a deletion'),
      connectedAt: z.int().describe('Unix seconds'),
      lastUsedAt: z.int().describe('Unix seconds, to the minute').exactOptional(),
    });
const teamConnections = () => z.object({ connections: z.array(teamState()) });

export type TeamState = z.infer<ReturnType<typeof teamState>>;
export type TeamConnectionsAnswer = z.infer<ReturnType<typeof teamConnections>>;

const MEMBER = failure('The caller is not an administrator');
const UNKNOWN = failure('The team has no such connection, or the user is gone');

export const teamOperations: Operations = () => ({
  'GET /api/admin/team-connections': {
    id: 'listTeamConnections',
    tag: 'Administration',
    summary: 'List the connections of the team',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply('Ordered by integration', teamConnections()),
      403: MEMBER,
      404: failure('The user is gone'),
    },
  },
  'GET /api/admin/team-connections/:integration': {
    id: 'getTeamConnection',
    tag: 'Administration',
    summary: 'Get one connection of the team',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The connection', teamState()), 403: MEMBER, 404: UNKNOWN },
  },
  'PATCH /api/admin/team-connections/:integration': {
    id: 'changeTeamConnection',
    tag: 'Administration',
    summary: 'Say who may use a connection of the team, and for what',
    description: 'It holds for the next call of everybody.',
    access: 'write',
    caller: 'session',
    body: { schema: TeamChange, example: { who: 'everyone', access: 'read' } },
    replies: {
      200: reply('The connection as it is now', teamState()),
      400: failure('The change is not valid, or names a person who is not here'),
      403: MEMBER,
      404: UNKNOWN,
    },
  },
  'POST /api/admin/team-connections/:integration/check': {
    id: 'checkTeamConnection',
    tag: 'Administration',
    summary: 'Ask the provider whether it accepts the credential of the team',
    access: 'write',
    caller: 'session',
    replies: { 200: reply('The connection as it is now', teamState()), 403: MEMBER, 404: UNKNOWN },
  },
  'DELETE /api/admin/team-connections/:integration': {
    id: 'disconnectTeam',
    tag: 'Administration',
    summary: 'Disconnect an integration for the team',
    description:
      'With `revoke=true` the grant is ended at the provider too, or the answer says where the account’s owner ends it.',
    access: 'destroy',
    caller: 'session',
    query: z.object({ revoke: z.enum(['true', 'false']).optional() }),
    replies: {
      200: reply('Also when nothing was stored; `revoked` only with `revoke=true`', disconnected()),
      400: failure('`revoke` is neither true nor false'),
      403: MEMBER,
      404: failure('Unknown integration, or the user is gone'),
    },
  },
});

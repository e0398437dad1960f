// Describes the routes of people, and declares their queries, bodies and answers. reference: Administration of people
import * as z from 'zod';
import { EmailAddress } from '../auth/email.ts';
import { failure, type Operations, reply } from '../http/operation.ts';
import { CONNECTION_STATUSES, LIMIT_NAMES } from '../kit/personal.ts';
import { HAS_NO_CONTROL } from '../kit/shown-text.ts';
import { ROLES } from '../ports/people.ts';
import { Cursor } from '../kit/cursor.ts';

const MAX_QUERY_CHARACTERS = 254;

export const PeopleQuery = z.object({
  query: z
    .string()
    .max(MAX_QUERY_CHARACTERS)
    .regex(HAS_NO_CONTROL, { error: 'must have no control characters' })
    .describe('A part of an e-mail address')
    .optional(),
  cursor: Cursor.optional(),
});

export const InvitationForm = z.strictObject({ email: EmailAddress, role: z.enum(ROLES).optional() });
export type InvitationForm = z.input<typeof InvitationForm>;

export const ChangeForm = z
  .strictObject({ role: z.enum(ROLES).optional(), disabled: z.boolean().optional() })
  .refine((form) => Object.keys(form).length > 0, { error: 'has neither role nor disabled' });
export type ChangeForm = z.input<typeof ChangeForm>;

export const MyChangeForm = z.strictObject({ callDetails: z.enum(['kept', 'off']) });
export type MyChangeForm = z.input<typeof MyChangeForm>;

const role = () => z.enum(ROLES);
const time = () => z.int().describe('Unix seconds');
const count = (of: string) => z.int().describe(of);

export const limit = () =>
  z.object({
    name: z.enum(LIMIT_NAMES),
    used: z.int().nullable().describe('Null where the process that answers cannot know'),
    limit: z.int().nullable().describe('Null where nothing is limited'),
  });

const me = () =>
  z.object({
    id: z.string(),
    email: z.string(),
    role: role(),
    createdAt: time(),
    limits: z.array(limit()),
    callDetails: z
      .enum(['kept', 'off', 'disabled'])
      .describe(
        'Whether the arguments and results of your calls are kept for a day. `off`: you want none. `disabled`: the gateway keeps none',
      ),
    notices: z
      .array(z.string())
      .describe('What an owner should know about the settings of the gateway. Absent without any')
      .exactOptional(),
  });

export const person = () =>
  z.object({
    id: z.string(),
    email: z.string(),
    role: role(),
    status: z.enum(['active', 'invited', 'disabled', 'deleting']),
    createdAt: time(),
    signedInAt: time().describe('The last sign-in, in Unix seconds').exactOptional(),
    calledAt: time().describe('The end of the last call, in Unix seconds').exactOptional(),
    unverified: z.literal(true).describe('Nobody has verified the e-mail address').exactOptional(),
    connections: count('Each account counts'),
    agents: count('OAuth clients with a live token of the person'),
    keys: count('The API key and the named keys'),
  });

const invitedPerson = () =>
  person().extend({
    mailed: z.literal(true).describe('The gateway sends the invitation by mail').exactOptional(),
  });

const personInFull = () =>
  person().extend({
    accounts: z.array(
      z.object({
        integration: z.string(),
        label: z.string().describe('Where the person has several accounts').exactOptional(),
        status: z.enum(CONNECTION_STATUSES),
      }),
    ),
    clients: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
    namedKeys: z.array(
      z.object({
        name: z.string(),
        lastUsedAt: time().describe('Unix seconds, to the minute').exactOptional(),
      }),
    ),
    groups: z
      .array(z.string())
      .describe('Absent where no provider and no directory has told them')
      .exactOptional(),
    limits: z.array(limit()),
  });

const peoplePage = () =>
  z.object({
    people: z.array(person()),
    nextCursor: z.string().describe('Absent on the last page').exactOptional(),
  });

export type Limit = z.infer<ReturnType<typeof limit>>;
export type Me = z.infer<ReturnType<typeof me>>;
export type InvitedPerson = z.infer<ReturnType<typeof invitedPerson>>;
export type Person = z.infer<ReturnType<typeof person>>;
export type PersonInFull = z.infer<ReturnType<typeof personInFull>>;
export type PeoplePage = z.infer<ReturnType<typeof peoplePage>>;

const MEMBER = failure('The caller is not an administrator');
const UNKNOWN = failure('There is no such person, or the user is gone');
const GONE = failure('The user is gone');

export const peopleOperations: Operations = () => ({
  'GET /api/me': {
    id: 'getMyself',
    tag: 'Person',
    summary: 'Show your role, and what you use of your limits',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('You', me()), 404: GONE },
  },
  'PATCH /api/me': {
    id: 'changeMyself',
    tag: 'Person',
    summary: 'Choose whether the arguments and results of your calls are kept',
    description: '`off` also deletes those that are there.',
    access: 'write',
    caller: 'session',
    body: { schema: MyChangeForm, example: { callDetails: 'off' } },
    replies: { 200: reply('You', me()), 400: failure('A bad body'), 404: GONE },
  },
  'GET /api/admin/people': {
    id: 'listPeople',
    tag: 'Administration',
    summary: 'List the people of the gateway',
    description: 'A page has at most 100 people, ordered by e-mail address.',
    access: 'read',
    caller: 'portal',
    query: PeopleQuery,
    replies: {
      200: reply('A page', peoplePage()),
      400: failure('A bad cursor or query'),
      403: MEMBER,
      404: GONE,
    },
  },
  'POST /api/admin/people': {
    id: 'invitePerson',
    tag: 'Administration',
    summary: 'Invite an e-mail address',
    description: 'The person may sign in with a verified address from then on. The gateway sends no e-mail.',
    access: 'write',
    caller: 'session',
    body: { schema: InvitationForm, example: { email: 'ann@example.com', role: 'member' } },
    replies: {
      201: reply('The person', invitedPerson()),
      400: failure('A bad address or role'),
      403: failure('The caller is not an administrator, or not an owner who may make owners'),
      404: GONE,
      409: failure('The person is here already'),
    },
  },
  'GET /api/admin/people/:id': {
    id: 'getPerson',
    tag: 'Administration',
    summary: 'Show a person with their accounts, clients, keys and limits',
    description: 'It shows no secret and nothing that was called.',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The person', personInFull()), 403: MEMBER, 404: UNKNOWN },
  },
  'PATCH /api/admin/people/:id': {
    id: 'changePerson',
    tag: 'Administration',
    summary: 'Change the role of a person, disable or enable them',
    description:
      'Disabling ends the keys, tokens and sessions of the person at once. Connections stay. A person who is enabled signs in again and makes new keys.',
    access: 'destroy',
    caller: 'session',
    body: { schema: ChangeForm, example: { disabled: true } },
    replies: {
      200: reply('The person', person()),
      400: failure('A bad role, or nothing to change'),
      403: failure('The caller is not an administrator, or is not an owner and tries to change or make one'),
      404: UNKNOWN,
      409: failure(
        'The last owner, yourself, an address that nobody has verified, or a person being deleted',
      ),
    },
  },
});

// Describes the routes that export and delete a person. reference: Deleting a person; Exporting a person
import * as z from 'zod';
import { EmailAddress } from '../auth/email.ts';
import { failure, type Operations, reply } from '../http/operation.ts';

export const LeaveForm = z.strictObject({ email: EmailAddress.describe('Your own, to confirm') });

const leaving = () => z.object({ status: z.literal('deleting') });
export type Leaving = z.infer<ReturnType<typeof leaving>>;

const BEGUN = 'The deletion has begun, and the gateway goes on with it by itself';
const MEMBER = failure('The caller is not an administrator');
const UNKNOWN = failure('There is no such person, or the user is gone');
const exported = () => reply('One JSON object, as a download', z.looseObject({ exportedAt: z.int() }));

export const leavingOperations: Operations = () => ({
  'GET /api/me/export': {
    id: 'exportMyself',
    tag: 'Person',
    summary: 'Download everything that is stored of you',
    description: 'Without credentials, and without the arguments of calls.',
    access: 'read',
    caller: 'session',
    replies: { 200: exported(), 404: failure('The user is gone') },
  },
  'DELETE /api/me': {
    id: 'deleteMyself',
    tag: 'Person',
    summary: 'Delete yourself and everything that you own here',
    description: 'Cannot be undone. It takes up to five minutes. Your activity stays under a pseudonym.',
    access: 'destroy',
    caller: 'session',
    body: { schema: LeaveForm, example: { email: 'ann@example.com' } },
    replies: {
      202: reply(BEGUN, leaving()),
      400: failure('The address is not yours'),
      404: failure('The user is gone'),
      409: failure('You are the last owner'),
    },
  },
  'GET /api/admin/people/:id/export': {
    id: 'exportPerson',
    tag: 'Administration',
    summary: 'Download everything that is stored of a person',
    description: 'Without credentials, and without the arguments of calls.',
    access: 'read',
    caller: 'session',
    replies: { 200: exported(), 403: MEMBER, 404: UNKNOWN },
  },
  'DELETE /api/admin/people/:id': {
    id: 'deletePerson',
    tag: 'Administration',
    summary: 'Delete a person and everything that they own here',
    description: 'Cannot be undone. It takes up to five minutes. Their activity stays under a pseudonym.',
    access: 'destroy',
    caller: 'session',
    replies: {
      202: reply(BEGUN, leaving()),
      403: failure('The caller is not an administrator, or the person is an owner'),
      404: UNKNOWN,
      409: failure('The last owner, or yourself'),
    },
  },
});

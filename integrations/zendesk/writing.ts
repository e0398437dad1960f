// The tools that write to tickets. Comments are sent as HTML, with files that were uploaded before.
import * as z from 'zod';
import { fileReference, type ToolFiles } from '../../src/kit/files.ts';
import { type Tool, tool, type Upstream } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { toHtml } from '../html/from-markdown.ts';
import { id, PERSON, send, showTicket, some, text, texts, ticketId } from './fields.ts';

const STATUSES = ['new', 'open', 'pending', 'hold', 'solved', 'closed'] as const;
const changes = () => ({
  status: z.enum(STATUSES).optional().describe('New status; a closed ticket cannot be opened again'),
  priority: z.enum(['low', 'normal', 'high', 'urgent']).optional().describe('How urgent it is'),
  type: z.enum(['problem', 'incident', 'question', 'task']).optional().describe('Kind of ticket'),
  assigneeId: id.optional().describe(`${PERSON}, who is an agent`),
  groupId: id.optional().describe('Group by `id`, from zendesk_list_groups'),
  tags: texts.describe('All tags of the ticket; they replace those it has'),
  customFields: z
    .array(z.strictObject({ id: id.describe('Id of the field'), value: z.unknown().describe('New value') }))
    .optional()
    .describe('Other fields, such as [{"id":360001,"value":"refund"}]'),
});
const files = () =>
  z.array(fileReference).max(10).optional().describe('Files to attach, each file:<handle> of a kept file');
const isPublic = z
  .boolean()
  .describe('true sends it to the requester, false keeps it as a note for the team');
const Uploaded = z.lazy(() => z.object({ upload: z.object({ token: text }) }));
const Ticket = z.object({ ticket: z.unknown() });

const changesOf = ({
  assigneeId,
  groupId,
  customFields,
  ...rest
}: z.output<z.ZodObject<ReturnType<typeof changes>>>) => ({
  ...rest,
  assignee_id: assigneeId,
  group_id: groupId,
  custom_fields: customFields,
});

async function commentOf(
  upstream: Upstream,
  kept: ToolFiles,
  { body, shown, attached = [] }: { body: string; shown: boolean; attached?: readonly string[] | undefined },
): Promise<object> {
  const uploads: string[] = [];
  for (const reference of attached) {
    const { bytes, name, mimeType } = await kept.read(reference);
    const answer = await upstream({
      method: 'POST',
      path: '/uploads',
      query: new URLSearchParams({ filename: name }),
      headers: { 'content-type': mimeType === '' ? 'application/binary' : mimeType },
      body: bytes,
    });
    uploads.push(Uploaded.parse(await readPayload(answer)).upload.token);
  }
  return { html_body: toHtml(body), public: shown, ...(uploads.length === 0 ? {} : { uploads }) };
}

export const writing: readonly Tool[] = [
  tool(
    'zendesk_create_ticket',
    'Create a ticket with its first comment',
    () => ({
      subject: text.describe('Subject, in one line'),
      body: text.describe('First comment, in Markdown'),
      public: isPublic.default(true),
      requesterEmail: some.describe('Address of the customer; you without it'),
      requesterName: some.describe('Name of the customer, needed if Zendesk does not know the address yet'),
      ...changes(),
      files: files(),
    }),
    async (args, { upstream, files: kept }) => {
      const { subject, body, public: shown, requesterEmail, requesterName, files: attached, ...rest } = args;
      const comment = await commentOf(upstream, kept, { body, shown, attached });
      const requester =
        requesterEmail === undefined ? undefined : { email: requesterEmail, name: requesterName };
      const ticket = { subject, comment, requester, ...changesOf(rest) };
      return showTicket(Ticket.parse(await send(upstream, 'POST /tickets', { ticket })).ticket);
    },
    'write',
  ),
  tool(
    'zendesk_update_ticket',
    'Change the status, assignee, priority, tags or other fields of a ticket',
    () => ({ ticketId, subject: some.describe('New subject'), ...changes() }),
    async ({ ticketId: number, subject, ...rest }, { upstream }) => {
      const ticket = { subject, ...changesOf(rest) };
      const answer = await send(upstream, 'PUT /tickets/{ticketId}', { ticketId: number, ticket });
      return showTicket(Ticket.parse(answer).ticket);
    },
    'write',
  ),
  tool(
    'zendesk_add_comment',
    'Reply to the requester of a ticket, or write an internal note on it',
    () => ({
      ticketId,
      body: text.describe('Text of the comment, in Markdown'),
      public: isPublic,
      status: changes().status.describe('New status at the same time, such as solved'),
      files: files(),
    }),
    async ({ ticketId: number, body, public: shown, status, files: attached }, { upstream, files: kept }) => {
      const comment = await commentOf(upstream, kept, { body, shown, attached });
      const ticket = { comment, status };
      const answer = await send(upstream, 'PUT /tickets/{ticketId}', { ticketId: number, ticket });
      return showTicket(Ticket.parse(answer).ticket);
    },
    'write',
  ),
];

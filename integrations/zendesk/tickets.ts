// Tickets, their comments and files, and the views and macros of the team.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { asFile, renderFile } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import { toMarkdown } from '../html/to-markdown.ts';
import {
  cursorNames,
  cursorPage,
  id,
  numberPage,
  pick,
  row,
  send,
  showFound,
  showList,
  showTicket,
  some,
  text,
  ticketId,
} from './fields.ts';

const TICKET = '/tickets/{ticketId}';

const User = z.lazy(() => z.object({ id: z.int(), name: text.nullish(), email: text.nullish() }));
const Comments = z.lazy(() => z.object({ users: z.array(User).default([]) }));
const Comment = z.lazy(() =>
  z.object({
    id: z.int(),
    author_id: z.int(),
    public: z.boolean().default(true),
    created_at: some,
    html_body: some,
    body: some,
    attachments: z
      .array(z.object({ id: z.int(), file_name: text, content_type: some, size: z.number().optional() }))
      .default([]),
  }),
);
const Attachment = z.lazy(() =>
  z.object({
    attachment: z.object({
      file_name: text,
      content_type: text.default(''),
      content_url: z.url({ protocol: /^https?$/ }),
    }),
  }),
);
const Shown = z.lazy(() => z.object({ ticket: z.looseObject({}), users: z.array(User).default([]) }));
const View = ['id', 'title', 'description', 'active', 'actions'];

const nameOf = (users: readonly z.infer<typeof User>[], wanted: unknown): string | undefined => {
  const found = users.find((user) => user.id === wanted);
  return found === undefined ? undefined : (found.name ?? found.email ?? undefined);
};

/** Fields of tickets that nobody has filled in are left out. */
const filled = (fields: unknown): unknown[] =>
  z
    .array(z.object({ id: z.int(), value: z.unknown() }))
    .parse(fields ?? [])
    .filter(({ value }) => value !== null && value !== '' && value !== false);

export const tickets: readonly Tool[] = [
  row(
    'zendesk_search',
    'GET /search',
    'Search tickets, users and organizations; at most 1000 results',
    () => ({
      query: text.describe(
        'Zendesk query, such as type:ticket status<solved assignee:me, or type:user email:ana@example.com',
      ),
      sortBy: z
        .enum(['created_at', 'updated_at', 'priority', 'status', 'ticket_type'])
        .optional()
        .describe('Best matches first without it'),
      sortOrder: z
        .enum(['asc', 'desc'])
        .optional()
        .describe('desc is the default: newest or most urgent first'),
      ...numberPage(),
    }),
    { result: (payload) => showList(payload, 'results', showFound) },
  ),
  row(
    'zendesk_get_ticket',
    `GET ${TICKET}?include=users`,
    'Get a ticket with its first message and the names of its people; zendesk_list_comments returns the conversation',
    () => ({ ticketId }),
    {
      result: (payload) => {
        const { ticket, users } = Shown.parse(payload);
        return withoutEmpty({
          ...showTicket(ticket),
          description: ticket['description'],
          requester: nameOf(users, ticket['requester_id']),
          assignee: nameOf(users, ticket['assignee_id']),
          custom_fields: filled(ticket['custom_fields']),
        });
      },
    },
  ),
  row(
    'zendesk_list_comments',
    `GET ${TICKET}/comments?include=users`,
    'List the comments of a ticket in Markdown, oldest first, with their authors and files',
    () => ({ ticketId, ...cursorPage() }),
    {
      names: cursorNames,
      result: (payload) => {
        const { users } = Comments.parse(payload);
        return showList(payload, 'comments', (item) => {
          const { author_id, html_body, body, attachments, ...rest } = Comment.parse(item);
          return {
            ...rest,
            author: nameOf(users, author_id) ?? author_id,
            body: html_body === undefined ? (body ?? '') : toMarkdown(html_body),
            ...(attachments.length === 0 ? {} : { attachments }),
          };
        });
      },
    },
  ),
  tool(
    'zendesk_read_attachment',
    'Read a file of a comment as text, an image or a file',
    () => ({ attachmentId: id.describe('`id` of a file, from zendesk_list_comments'), asFile }),
    async ({ attachmentId, asFile: keep }, { upstream, fetch, files }) => {
      const found = Attachment.parse(
        await send(upstream, 'GET /attachments/{attachmentId}', { attachmentId }),
      );
      const { file_name: name, content_type: mimeType, content_url } = found.attachment;
      // The address is itself the permission, so no credential is sent.
      const answer = await fetch(content_url, { redirects: 3 });
      return {
        name,
        ...(await renderFile(files, { bytes: await readBytes(answer), name, mimeType }, { asFile: keep })),
      };
    },
  ),
  row(
    'zendesk_list_views',
    'GET /views?active=true',
    'List the views, which are the queues of tickets that agents work on',
    () => cursorPage(),
    { names: cursorNames, result: (payload) => showList(payload, 'views', (view) => pick(view, View)) },
  ),
  row(
    'zendesk_list_view_tickets',
    'GET /views/{viewId}/tickets',
    'List the tickets in a view',
    () => ({ viewId: id.describe('`id` of the view, from zendesk_list_views'), ...cursorPage() }),
    { names: cursorNames, result: (payload) => showList(payload, 'tickets', showTicket) },
  ),
  row(
    'zendesk_list_macros',
    'GET /macros?active=true',
    'List the macros, which are prepared answers and changes of tickets',
    () => cursorPage(),
    { names: cursorNames, result: (payload) => showList(payload, 'macros', (macro) => pick(macro, View)) },
  ),
  row(
    'zendesk_preview_macro',
    `GET ${TICKET}/macros/{macroId}/apply`,
    'Show what a macro would write and change in a ticket, without changing it; zendesk_update_ticket and zendesk_add_comment do it',
    () => ({ ticketId, macroId: id.describe('`id` of the macro, from zendesk_list_macros') }),
    { result: showMacro },
  ),
];

const Applied = z.lazy(() =>
  z.object({
    result: z.object({
      ticket: z.looseObject({
        comment: z.object({ html_body: some, body: some, public: z.boolean().optional() }).nullish(),
      }),
    }),
  }),
);

function showMacro(payload: unknown): unknown {
  const { ticket } = Applied.parse(payload).result;
  const { html_body, body, public: isPublic } = ticket.comment ?? {};
  const written = html_body === undefined ? body : toMarkdown(html_body);
  return withoutEmpty({ ...showTicket(ticket), comment: { body: written, public: isPublic } });
}

// Sends a mail, in its thread when it is a reply.
import * as z from 'zod';
import type { ToolContext, Upstream } from '../../src/kit/integration.ts';
import { send } from '../google/oauth.ts';
import { type Answered, compose, type Mail, type mail, readFiles } from './compose.ts';

const Payload = z.lazy(() =>
  z.object({ headers: z.array(z.object({ name: z.string(), value: z.string() })) }),
);

const Thread = z.lazy(() =>
  z.object({
    messages: z.array(
      z.object({
        labelIds: z.array(z.string()).default([]),
        payload: Payload,
      }),
    ),
  }),
);

type GivenMail = Pick<z.output<z.ZodObject<ReturnType<typeof mail>>>, 'threadId' | 'attachments'>;

/** Builds the message as the API expects it. */
export async function composeMessage(
  { upstream, files }: Pick<ToolContext, 'upstream' | 'files'>,
  { threadId, attachments, ...fields }: Omit<Mail, 'attachments'> & GivenMail,
): Promise<{ raw: string; threadId?: string }> {
  const whole = { ...fields, attachments: await readFiles(files, attachments) };
  if (threadId === undefined) return { raw: compose(whole, null) };
  return { raw: compose(whole, await lastOf(upstream, threadId)), threadId };
}

/** Other mail programs recognize a thread only by these headers. RFC 5322 §3.6.4 */
async function lastOf(upstream: Upstream, id: string): Promise<Answered | null> {
  const wanted = { id, format: 'metadata', metadataHeaders: ['Message-ID', 'References'] };
  const thread = Thread.safeParse(await send(upstream, 'GET /gmail/v1/users/me/threads/{id}', wanted));
  // A draft was never sent, so no other program knows its id.
  const sent = (thread.data?.messages ?? []).filter(
    ({ labelIds }) => !labelIds.includes('DRAFT') && !labelIds.includes('TRASH'),
  );
  const last = sent.findLast(({ payload }) => find(payload, 'message-id') !== undefined);
  if (last === undefined) return null;
  const messageId = find(last.payload, 'message-id') ?? '';
  return { messageId, references: find(last.payload, 'references') ?? '' };
}

function find({ headers }: z.infer<typeof Payload>, wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value.replace(/\s+/g, ' ');
}

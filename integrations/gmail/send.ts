// A mail on its way: in its thread, when it answers one.
import * as z from 'zod';
import type { Upstream } from '../../src/kit/integration.ts';
import { send } from '../google/oauth.ts';
import { type Answered, compose, type Mail } from './compose.ts';

const Payload = z.object({ headers: z.array(z.object({ name: z.string(), value: z.string() })) });

const Thread = z.object({
  messages: z.array(
    z.object({
      labelIds: z.array(z.string()).default([]),
      payload: Payload,
    }),
  ),
});

/** The message as the API takes it. */
export async function composeMessage(
  upstream: Upstream,
  { threadId, ...mail }: Mail & { threadId?: string | undefined },
): Promise<{ raw: string; threadId?: string }> {
  if (threadId === undefined) return { raw: compose(mail, null) };
  return { raw: compose(mail, await lastOf(upstream, threadId)), threadId };
}

/** Other people's programs know a thread by these headers alone. RFC 5322 §3.6.4 */
async function lastOf(upstream: Upstream, id: string): Promise<Answered | null> {
  const wanted = { id, format: 'metadata', metadataHeaders: ['Message-ID', 'References'] };
  const thread = Thread.safeParse(await send(upstream, 'GET /gmail/v1/users/me/threads/{id}', wanted));
  // Nobody else has seen what was never sent.
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

// Switches each kind of notice at each channel, one at a time. reference: Notices
import { createECDH, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOTICE_KINDS } from '../../src/kit/notice.ts';
import type { ChannelForm } from '../../src/notices/operations.ts';
import { CHANNELS } from '../../src/ports/outbox.ts';
import { type NoticeStand, openNotices } from '../support/notice-stand.ts';

const channels = new Map<string, string>();
let stand: NoticeStand;
beforeAll(async () => {
  stand = await openNotices({
    env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'gateway@example.com' },
    ports: { mail: { send: async () => ({ ok: true }) } },
  });
  const { url } = stand.receiver;
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  const forms: ChannelForm[] = [
    { channel: 'webhook', name: 'Server', url },
    { channel: 'slack', name: 'Slack', url },
    { channel: 'email', name: 'Mail' },
    { channel: 'push', name: 'Laptop', url, p256dh, auth },
  ];
  for (const form of forms) channels.set(form.channel, (await stand.add(form)).id);
});
afterAll(() => stand.close());

const table = CHANNELS.flatMap((channel) => NOTICE_KINDS.map((kind) => [channel, kind] as const));

async function setKinds(channel: string, kinds: readonly string[]): Promise<void> {
  const path = `/api/notices/channels/${channels.get(channel)}`;
  expect((await stand.send('PATCH', path, { kinds })).status).toBe(200);
}

it.each(table)(
  '%s is told nothing of "%s" while it is switched off, and the others are',
  async (channel, kind) => {
    await setKinds(
      channel,
      NOTICE_KINDS.filter((each) => each !== kind),
    );
    for (const each of NOTICE_KINDS) await stand.tell({ kind: each, about: `${channel} ${kind} ${each}` });
    const { deliveries } = stand.app.deps.store.outbox;
    const rows = await deliveries.list({ userId: stand.ana.id, limit: 20 * table.length });
    const told = rows
      .filter(({ about }) => about.startsWith(`${channel} ${kind} `))
      .map((row) => `${row.channel} ${row.kind}`);
    const wanted = table.map(([each, of]) => `${each} ${of}`).filter((each) => each !== `${channel} ${kind}`);
    expect(told.toSorted()).toEqual(wanted.toSorted());
    await setKinds(channel, NOTICE_KINDS);
  },
);

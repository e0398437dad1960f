// Serves the links of mails that switch mails off, without a sign-in. A mail program follows links by itself, so only a button
// or RFC 8058's request changes something. reference: Notices
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Config } from '../config/config.ts';
import type { Seal } from '../crypto/seal.ts';
import { sendFailure, sendPage } from '../http/page.ts';
import { portalPage } from '../http/portal-page.ts';
import type { NoticeKind } from '../kit/notice.ts';
import type { Ports } from '../ports/ports.ts';
import { OFF_PATH, parseMuted, readOff, writeMuted } from './model/off-link.ts';

type Needs = Pick<Ports, 'store'> & { config: Pick<Config, 'PORTAL_URL'>; seal: Seal };

const WORDS: Record<NoticeKind, string> = {
  approval: 'calls that wait for your approval',
  connection: 'connections that need you',
  import: 'imported integrations that have changed',
  key: 'keys that expire',
  destination: 'addresses that were disabled',
};

export function createOffRoutes({ config, seal, store }: Needs): Hono {
  const { destinations } = store.outbox;
  const app = new Hono();

  const wrong = (c: Context) =>
    sendFailure(c, 404, {
      title: 'This link does not work',
      sentence: 'The channel is gone, or the link is not whole. Choose what you are told in the settings.',
      portalUrl: portalPage(config, '/settings/notices'),
    });

  async function find(c: Context) {
    const off = await readOff(seal, c.req.query('token') ?? '');
    const destination = off && (await destinations.get(off.user, off.destination));
    return off === null || destination === null ? null : { off, destination };
  }

  app.get(OFF_PATH, async (c) => {
    const found = await find(c);
    if (found === null) return wrong(c);
    const body = html`<p>The gateway will send no more mails about:</p>
      <ul>
        ${found.off.kinds.map((kind) => html`<li>${WORDS[kind]}</li>`)}
      </ul>
      <form method="post"><button>Send no more</button></form>`;
    return sendPage(c, { title: 'No more of these mails?', body, formAction: "'self'" });
  });

  app.post(OFF_PATH, async (c) => {
    const found = await find(c);
    if (found === null) return wrong(c);
    const { off, destination } = found;
    const muted = writeMuted([...parseMuted(destination.muted), ...off.kinds]);
    await destinations.change(off.user, off.destination, { name: destination.name, muted });
    const settings = portalPage(config, '/settings/notices');
    const body = html`<p>You get no more of these mails. Your other notices stay as they are.</p>
      <p><a href="${settings}">Choose what you are told</a></p>`;
    return sendPage(c, { title: 'Done', body });
  });

  return app;
}

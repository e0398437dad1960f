// Subscribes in the portal as people do, with somebody else's signatures, and looks at what comes.
// reference: Events
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { listen } from '../../support/listen.ts';
import { waitUntil } from '../../support/wait.ts';
import { ask } from '../members.ts';
import { expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const BODY = JSON.stringify({ type: 'order.paid', data: { id: 'o18', buyer: { name: 'Grace' } } });

async function deliver(address: string, secret: string, id: string): Promise<number> {
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, BODY),
  };
  return (await fetch(address, { method: 'POST', headers, body: BODY })).status;
}

export function itShowsEvents(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;
  const open = async (path: string) => {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(path));
    return visitor;
  };

  describe('Events', () => {
    it('come by a webhook, are seen as they come, replayed, and sent on', async () => {
      const { page, settled, complaints, close } = await open('/events');
      await page.getByText('Nothing is subscribed to yet.').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'events-empty');
      await page.getByRole('link', { name: 'Subscribe' }).click();
      await page.getByRole('radio', { name: /Any sender/ }).check();
      await settled();
      await expectSoundInEveryLook(page, 'events-new');
      await page.getByRole('button', { name: 'Subscribe' }).click();
      const made = page.getByRole('region', { name: 'The subscription is made' });
      const address = await made.getByLabel('Address').first().inputValue();
      const secret = await made.getByLabel('Secret').first().inputValue();
      await settled();
      await expectSoundInEveryLook(page, 'events-made');
      await made.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Any sender · standard', level: 1 }).waitFor();
      expect(await page.content()).not.toContain(secret);
      await page.getByText('Nothing has come yet').waitFor();

      expect(await deliver(address, secret, 'msg_1')).toBe(200);
      expect(await deliver(address, secret, 'msg_1')).toBe(200);
      const event = page.getByRole('button', { name: /order\.paid/ });
      await event.waitFor();
      await page.getByText('Works').waitFor();
      expect(await event.count()).toBe(1);
      await event.click();
      await page.getByText('"Grace"').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'events-one');
      await page.getByRole('button', { name: 'Replay order.paid to the reader' }).click();
      await page.getByRole('button', { name: /order\.paid.*Replayed/ }).waitFor();

      const received: string[] = [];
      const server = createServer((request, response) => {
        let body = '';
        request.on('data', (part) => (body += part));
        request.on('end', () => {
          received.push(body);
          response.writeHead(204).end();
        });
      });
      const receiver = `http://127.0.0.1:${await listen(server)}/hook`;
      await page.getByLabel('Address').fill('example.com');
      await page.getByRole('button', { name: 'Send events there' }).click();
      await page.getByText('Enter an address that begins with https://.').waitFor();
      await page.getByLabel('Address').fill(receiver);
      await page.getByRole('button', { name: 'Send events there' }).click();
      await page.getByText('Check signatures with this secret.').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await deliver(address, secret, 'msg_2')).toBe(200);
      await waitUntil(
        'a delivery',
        () => received.length > 0,
        () => received,
      );
      expect(JSON.parse(received[0] ?? '')).toMatchObject({ data: { payload: { data: { id: 'o18' } } } });
      server.close();

      await page.goto(at('/events'));
      await page.getByRole('link', { name: 'Any sender · standard' }).waitFor();
      await page.getByText('Goes on to 127.0.0.1').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'events');
      await page.getByRole('link', { name: 'Any sender · standard' }).click();
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByText('Nothing is subscribed to yet.').waitFor();
      expect(await deliver(address, secret, 'msg_3')).toBe(404);
      expect(complaints).toEqual([]);
      await close();
    });

    it('come by a watch that was tried before', async () => {
      for (const name of ['one', 'two'])
        await ask(subject, '/rest/jots', {
          method: 'POST',
          body: { tool: 'deploy_jot', args: { name, files: [{ path: 'index.html', content: '<p>Hi' }] } },
        });
      const { page, settled, complaints, close } = await open('/events/new');
      await page.getByRole('radio', { name: /Watch of a tool/ }).check();
      await page.getByRole('button', { name: 'Subscribe' }).click();
      await page.getByText('Choose a tool.').waitFor();
      await page.getByLabel('Tool', { exact: true }).fill('list_jots');
      await page.getByLabel('Arguments').fill('[1]');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByText('This is not a JSON object.').waitFor();
      await page.getByLabel('Arguments').fill('{}');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page
        .getByRole('button', { name: /^Use jots by/ })
        .first()
        .click();
      await page.getByText('2 items found').waitFor();
      expect(await page.getByLabel('List in the answer').inputValue()).toBe('jots');
      await settled();
      await expectSoundInEveryLook(page, 'events-watch');
      await page.getByRole('button', { name: 'Subscribe' }).click();
      await page.getByText('2 items found. What comes after them is an event.').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Watch of list_jots', level: 1 }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('come at a point in time', async () => {
      const { page, complaints, close } = await open('/events/new');
      await page.getByRole('radio', { name: /Schedule/ }).check();
      await page.getByRole('textbox', { name: 'When' }).fill('daily');
      await page.getByRole('button', { name: 'Subscribe' }).click();
      await page.getByText('Enter five fields.').waitFor();
      await page.getByRole('textbox', { name: 'When' }).fill('0 8 * * 1-5');
      await page.getByRole('button', { name: 'Subscribe' }).click();
      await page.getByRole('heading', { name: 'Schedule 0 8 * * 1-5', level: 1 }).waitFor();
      await page.getByText(/Next run \d+ \w+/).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });
  });
}

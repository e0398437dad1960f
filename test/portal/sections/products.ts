// Makes a product as administrators do, calls with its service key as its back end does, and looks at what is shown.
// reference: Service keys
import { describe, expect, it } from 'vitest';
import { seedMember, visitAs } from '../members.ts';
import { expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

/** One blue pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgcDkDAAFYARFjw0YgAAAAAElFTkSuQmCC',
  'base64',
);
const RETURN = 'https://acme.example/connected';

export function itShowsProducts(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;
  const open = async (path: string) => {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(path));
    return visitor;
  };
  /** Calls as the back end of the product. */
  const call = (key: string, path: string, body?: unknown, actor?: string) =>
    fetch(at(path), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-service-api-key': key,
        'content-type': 'application/json',
        ...(actor === undefined ? {} : { 'x-service-actor': actor }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const makeActors = async (key: string, count: number) => {
    for (let index = 0; index < count; index++) {
      const externalId = `user-${String(index).padStart(3, '0')}`;
      expect((await call(key, '/api/actors', { externalId })).status).toBe(201);
    }
  };

  describe('Products', () => {
    it('get a key that is shown once, and show the actors that it makes', async () => {
      const { page, settled, complaints, close } = await open('/products');
      await page.getByText('No product has a service key yet').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'products-empty');
      await page.getByRole('link', { name: 'New product' }).click();
      await page.getByRole('button', { name: 'Make product' }).click();
      await page.getByText('Enter a name.').waitFor();
      await page.getByText('Enter an address, such as').waitFor();
      await page.getByLabel('Name').fill('Acme');
      await page.getByLabel('Return addresses').fill(RETURN);
      await page.getByRole('radio', { name: /^Only some/ }).check();
      await page.getByRole('button', { name: 'Make product' }).click();
      await page.getByText('Choose at least one integration.').waitFor();
      for (const name of ['GitHub', 'Time']) {
        await page.getByRole('searchbox', { name: 'Search integrations' }).fill(name);
        await page.getByRole('checkbox', { name: new RegExp(`^${name}( |$)`) }).check();
      }
      await page
        .getByLabel('Mark')
        .setInputFiles({ name: 'mark.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
      await page.locator('.connect-problem', { hasText: 'Choose a PNG' }).waitFor();
      await page.getByLabel('Mark').setInputFiles({ name: 'mark.png', mimeType: 'image/png', buffer: PNG });
      await page.getByRole('button', { name: 'Remove the mark' }).waitFor();
      await page.getByRole('checkbox', { name: 'Colours of its own' }).check();
      await page.getByLabel('On light pages').fill('#ffdd00');
      await page.getByLabel('On dark pages').fill('#0044cc');
      await settled();
      await expectSoundInEveryLook(page, 'products-form');
      await page.getByRole('button', { name: 'Make product' }).click();
      await page.getByRole('heading', { name: 'The service key of Acme' }).waitFor();
      const key = await page.getByRole('textbox', { name: 'Service key' }).inputValue();
      expect(key).toMatch(/^svk_[0-9a-f]{64}$/);
      expect(await page.locator('.made-key pre').innerText()).not.toContain(key);
      await settled();
      await expectSoundInEveryLook(page, 'products-made');
      await page.getByRole('button', { name: 'JavaScript' }).click();
      await page.getByText('tool-gateway/client').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor();
      await page.getByText('The product has no actors yet').waitFor();
      expect(await page.content()).not.toContain(key);

      expect((await call(key, '/api/actors', { externalId: 'ann', name: 'Ann' })).status).toBe(201);
      await makeActors(key, 101);
      expect((await call(key, '/rest/time', { tool: 'time_now', args: {} }, 'ann')).status).toBe(200);
      const link = { integration: 'github', returnTo: RETURN };
      // This gateway has no OAuth client of GitHub, so the link is refused and none is listed.
      expect((await call(key, '/api/actors/ann/connect-links', link)).status).toBe(503);
      await page.reload();
      await page.getByText('First 100 of 102 actors').waitFor();
      await page.getByRole('link', { name: 'Ann', exact: true }).waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'products-actors');
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('102 actors', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'user-100' }).waitFor();
      await page.getByRole('searchbox', { name: 'Search by a part of an id' }).fill('SER-09');
      await page.getByText('10 actors found').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'products-search');
      await page.getByRole('searchbox', { name: 'Search by a part of an id' }).fill('nobody');
      await page.getByText('No actor’s id contains “nobody”').waitFor();
      expect((await call(key, '/rest/time', { tool: 'time_now', args: {} }, 'ann')).status).toBe(200);
      const wrong = { tool: 'time_now', args: { timeZone: 'Nowhere' } };
      expect((await call(key, '/rest/time', wrong, 'ann')).status).toBeGreaterThanOrEqual(400);
      // GitHub is not there.
      const account = { id: '1', label: 'octocat' };
      const connection = { integration: 'github', status: 'reconnect', account, connectedAt: 1_795_763_541 };
      await page.route('**/actors/ann/connections', (route) =>
        route.fulfill({ json: { connections: [connection, { ...connection, label: 'work' }] } }),
      );
      await page.getByRole('searchbox', { name: 'Search by a part of an id' }).fill('ann');
      await page.getByRole('link', { name: 'Ann', exact: true }).click();
      await page.getByRole('heading', { name: 'ann', level: 1 }).waitFor();
      await page.getByText('work · octocat').waitFor();
      await page.getByText('3 calls, 1 failed').first().waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'products-actor');
      await page.unrouteAll();
      await page.reload();
      await page.getByText('This actor has connected nothing yet.').waitFor();
      await page.getByText('An actor of Acme · ann').waitFor();
      await page.getByRole('button', { name: 'Erase actor' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Erase actor' }).click();
      await page.getByText('ann is being erased.').waitFor();
      expect((await call(key, '/api/actors/ann')).status).toBe(404);
      await page.getByRole('link', { name: 'Calls' }).click();
      await page.getByText('Now', { exact: true }).first().waitFor();
      await page.goto(at('/products'));
      await page.getByText('101 of 100,000 actors').waitFor();
      await page.getByText('3 calls in 30 days').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'products-list');
      expect(complaints).toEqual([]);
      await close();
    });

    it('are changed in place, get another key, are revoked and erased', async () => {
      const { page, settled, complaints, close } = await open('/products/new');
      await page.getByLabel('Name').fill('Acme');
      await page.getByLabel('Return addresses').fill(RETURN);
      await page.getByRole('button', { name: 'Make product' }).click();
      const first = await page.getByRole('textbox', { name: 'Service key' }).inputValue();
      await page.getByRole('button', { name: 'Done' }).click();
      expect((await call(first, '/api/actors', { externalId: 'bob' })).status).toBe(201);
      const grafana = { integration: 'grafana', returnTo: RETURN };
      expect((await call(first, '/api/actors/bob/connect-links', grafana)).status).toBe(201);
      await page.getByRole('tab', { name: 'Connect links' }).click();
      await page.getByText('Connects Grafana').waitFor();
      await page.getByText('Not opened yet').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'products-links');

      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByLabel('Name').fill('Acme Cloud');
      await page.getByLabel('Actors at most').fill('7');
      await settled();
      await expectSoundInEveryLook(page, 'products-settings');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.getByRole('heading', { name: 'Acme Cloud', level: 1 }).waitFor();
      await page.getByLabel('Address for events').fill('http://127.0.0.1:9/hook');
      await page.getByRole('button', { name: 'Send events there' }).click();
      expect(await page.getByRole('textbox', { name: 'Secret of events' }).inputValue()).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Stop sending' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stop sending' }).click();
      await page.getByText('No more events are sent.').waitFor();

      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
      const second = await page.getByRole('textbox', { name: 'Service key' }).inputValue();
      expect((await call(first, '/api/actors')).status).toBe(401);
      const listed = await call(second, '/api/actors');
      expect(await listed.json()).toMatchObject({ actors: [{ externalId: 'bob' }] });
      await page.getByRole('button', { name: 'Done' }).click();
      await page.reload();
      await page.getByText('1 of 7 actors').waitFor();

      await page.getByRole('button', { name: 'Revoke key' }).click();
      await page.getByRole('dialog').getByText('1 actor and what they have connected stay').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
      await page.getByText('does not work any more').waitFor();
      expect((await call(second, '/api/actors')).status).toBe(401);
      await settled();
      await expectSoundInEveryLook(page, 'products-revoked');
      await page.getByRole('button', { name: 'Erase product' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Erase product' }).click();
      await page.getByText('Acme Cloud is deleted.').waitFor();
      await page.getByText('No product has a service key yet').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('are for administrators only', async () => {
      const member = await seedMember(subject, 'max@example.com');
      for (const path of ['/products', '/products/new', '/products/none']) {
        const { page, close } = await visitAs(subject, member, path);
        await page.getByText('Only for administrators').first().waitFor();
        expect(await page.getByRole('link', { name: 'Products', exact: true }).count()).toBe(0);
        await close();
      }
    });
  });
}

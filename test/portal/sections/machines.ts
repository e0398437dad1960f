// Tests the page of machines: trusting an issuer, testing a token, making a client, and ending both.
import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { JWT_BEARER } from '../../support/machines.ts';
import { startOidc } from '../../support/oidc.ts';
import { makeKeyIn } from '../gateway-calls.ts';
import { expectSoundInEveryLook, type Visit } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const SUBJECT = 'repo:acme/web:ref:refs/heads/main';

export function itShowsMachines(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(path = '/machines'): Promise<Visit> {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(path));
    await visitor.page.getByRole('heading', { name: 'Machines', level: 1 }).waitFor();
    await visitor.settled();
    return visitor;
  }
  const askToken = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(at('/token'), { method: 'POST', headers, body: new URLSearchParams(fields) });

  describe('Machines', () => {
    it('need a key first', async () => {
      const { page, complaints, close } = await open('/machines?new=issuer');
      await page.getByRole('link', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('act by the token of an issuer that an administrator trusts and tests', async () => {
      const oidc = await startOidc({ redirectUris: ['http://localhost/'] });
      await makeKeyIn(subject, { name: 'deploy', access: 'read', integrations: ['time'] });
      const { page, settled, complaints, close } = await open();
      await page.getByText('No issuer is trusted yet').waitFor();
      await expectSoundInEveryLook(page, 'machines-none');
      await page.getByRole('button', { name: 'Trust an issuer' }).click();
      await page.getByText('id-token: write').waitFor();
      await expectSoundInEveryLook(page, 'machines-issuer');
      await page.getByRole('button', { name: 'Trust it' }).click();
      await page.getByText('Enter the subject that the token must have.').waitFor();
      await page.getByLabel('Subject').fill('repo:*');
      await page.getByLabel('Acts with').selectOption({ label: 'deploy' });
      await page.getByRole('button', { name: 'Trust it' }).click();
      await page.getByText(/fits projects of strangers/).waitFor();
      await page.getByRole('button', { name: 'Kubernetes' }).click();
      expect(await page.getByLabel('Address').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Other', exact: true }).click();
      await page.getByLabel('Name').fill('Pipelines');
      await page.getByLabel('Address').fill(oidc.issuer);
      await page.getByLabel('Subject').fill('repo:acme/web*');
      await page.getByLabel('Other claims').fill('environment=prod');
      await page.getByRole('button', { name: 'Trust it' }).click();
      await page.getByRole('heading', { name: 'Pipelines', level: 2 }).waitFor();
      await page.getByText('also fits other names that begin with web').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'machines-issuers');

      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: oidc.issuer,
        aud: subject.gateway().base,
        sub: SUBJECT,
        iat: now,
        exp: now + 300,
      };
      const token = await oidc.sign({ ...claims, environment: 'prod' });
      const field = page.getByRole('textbox', { name: 'Token' });
      await field.fill(await oidc.sign(claims));
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByText('No rule of the issuer fits').waitFor();
      await field.fill(token);
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByText('This token would act as deploy, and may read Time.').waitFor();
      await expectSoundInEveryLook(page, 'machines-tested');

      const given = await (await askToken({ grant_type: JWT_BEARER, assertion: token })).json();
      const bearer = { authorization: `Bearer ${given.access_token}` };
      expect((await fetch(at('/rest'), { headers: bearer })).status).toBe(200);
      await page.getByRole('button', { name: 'Change rules of Pipelines' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rules of Pipelines' });
      expect(await dialog.getByLabel('Other claims').inputValue()).toBe('environment=prod');
      await dialog.getByLabel('Subject').fill(SUBJECT);
      await expectSoundInEveryLook(page, 'machines-rules');
      await dialog.getByRole('button', { name: 'Save rules' }).click();
      await page.getByText('The rules of Pipelines are saved.').waitFor();
      // The token came through the former rule.
      expect((await fetch(at('/rest'), { headers: bearer })).status).toBe(401);
      await page.getByRole('button', { name: 'End Pipelines' }).click();
      await page
        .getByRole('dialog', { name: 'End “Pipelines”?' })
        .getByRole('button', { name: 'End' })
        .click();
      await page.getByText('Pipelines has ended.').waitFor();
      // The browser notes the refused pattern.
      expect(complaints.filter((each) => !/status of 400 .*trusted-issuers$/.test(each))).toEqual([]);
      await close();
      await oidc.close();
    });

    it('act as a client whose secret is shown once', async () => {
      await makeKeyIn(subject, { name: 'report', access: 'read' });
      const { page, complaints, close } = await open('/machines?show=clients');
      await page.getByRole('button', { name: 'Make a client' }).click();
      await page.getByRole('button', { name: 'Make client' }).click();
      await page.getByText('Enter a name.').waitFor();
      await page.getByLabel('Name').fill('Nightly report');
      await page.getByLabel('Acts with').selectOption({ label: 'report' });
      await page.getByRole('button', { name: 'Make client' }).click();
      await page.getByRole('heading', { name: 'Nightly report is ready' }).waitFor();
      const secret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue();
      const id = await page.getByRole('textbox', { name: 'Client ID' }).inputValue();
      expect(await page.locator('.made-key pre').innerText()).not.toContain(secret);
      await expectSoundInEveryLook(page, 'machines-made');
      const authorization = `Basic ${btoa(`${id}:${secret}`)}`;
      const answer = await (await askToken({ grant_type: 'client_credentials' }, { authorization })).json();
      const bearer = { authorization: `Bearer ${answer.access_token}` };
      expect((await fetch(at('/rest'), { headers: bearer })).status).toBe(200);
      await page.getByRole('tab', { name: /^Trusted issuers/ }).click();
      await page.getByRole('tab', { name: /^Clients/ }).click();
      await page.getByRole('heading', { name: 'Nightly report', exact: true }).waitFor();
      expect(await page.content()).not.toContain(secret);
      await page.reload();
      await page.getByText(/^Last used/).waitFor();
      await expectSoundInEveryLook(page, 'machines-clients-list');

      await page.getByRole('button', { name: 'Make a client' }).click();
      await page.getByLabel('Name').fill('Signer');
      await page.getByLabel('Acts with').selectOption({ label: 'report' });
      await page.getByRole('radio', { name: /^With a key of its own/ }).check();
      await page.getByLabel('Public key').fill('nonsense');
      await page.getByRole('button', { name: 'Make client' }).click();
      await page.getByText('Paste a JWK').waitFor();
      const { publicKey } = await generateKeyPair('ES256', { extractable: true });
      await page.getByLabel('Public key').fill(JSON.stringify(await exportJWK(publicKey)));
      await page.getByRole('button', { name: 'Make client' }).click();
      await page.getByRole('heading', { name: 'Signer is ready' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Client secret' }).count()).toBe(0);

      await page.getByRole('button', { name: 'End Nightly report' }).click();
      await page
        .getByRole('dialog', { name: 'End “Nightly report”?' })
        .getByRole('button', { name: 'End' })
        .click();
      await page.getByText('Nightly report has ended.').waitFor();
      expect((await fetch(at('/rest'), { headers: bearer })).status).toBe(401);
      expect(complaints).toEqual([]);
      await close();
    });
  });
}

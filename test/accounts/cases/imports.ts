// Cases of a service that the person has imported.
import { expect } from 'vitest';
import { createImportUser } from '../../support/import-user.ts';
import { startService } from '../../support/openapi-service.ts';
import { createTestApp } from '../../support/test-app.ts';
import type { Case, Until } from './case.ts';

/** A person with two accounts of an imported service. Returns how to call it, and the keys that arrived. */
async function openImported(until: Until) {
  const app = until(await createTestApp());
  const ana = createImportUser(app, await app.user('owner@localhost'));
  const service = until(await startService());
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Acme-Key' } };
  Object.assign(service.description.components, { securitySchemes });
  Object.assign(service.description, { security: [{ key: [] }] });
  await ana.add({ address: service.address });
  for (const account of ['work', 'home'])
    expect(
      await ana.send('POST', '/api/auth/apikey/acme', { values: { api_key: `key-of-${account}` }, account }),
    ).toMatchObject({ status: 200 });
  const keys = () => service.calls.map(({ headers }) => headers.get('x-acme-key'));
  return { ana, keys };
}

const INVOICE = { number: '7', amount: 1 };

export const IMPORT_CASES: readonly Case[] = [
  {
    situation: 'several accounts of an imported service, none named, a call that reads',
    door: 'MCP',
    outcome: 'uses the default, else the oldest',
    async run(until) {
      const { ana, keys } = await openImported(until);
      expect(await ana.run('acme_list_invoices')).toMatchObject({ account: 'work' });
      expect(keys()).toEqual(['key-of-work']);
    },
  },
  {
    situation: 'several accounts of an imported service, none named, a call that can change something',
    door: 'MCP',
    outcome: '`AMBIGUOUS_ACCOUNT` with the labels, nothing is sent',
    async run(until) {
      const { ana, keys } = await openImported(until);
      expect(await ana.run('acme_create_invoice', INVOICE)).toMatchObject({
        error: 'AMBIGUOUS_ACCOUNT',
        accounts: ['work', 'home'],
      });
      expect(keys()).toEqual([]);
      expect(await ana.run('acme_create_invoice', INVOICE, { account: 'home' })).toMatchObject({
        account: 'home',
      });
      expect(keys()).toEqual(['key-of-home']);
    },
  },
];

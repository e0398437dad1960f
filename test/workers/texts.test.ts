// Tests that integrations without their texts check calls as before, and have every text again once it was waited for.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withoutTexts } from '../../adapters/workers/without-texts.ts';
import { createAssetTexts, textFilesOf } from '../../drivers/texts/asset.ts';
import { integrations as carried } from '../../integrations/all.ts';
import { searchTables } from '../../src/search/tables.ts';
import type { Integration } from '../../src/kit/integration.ts';
import { ROOT } from '../support/gateway-process.ts';

const folder = await mkdtemp(join(tmpdir(), 'texts-'));
let bare: readonly Integration[];
beforeAll(async () => {
  const file = join(folder, 'all.mjs');
  const bundle = await rolldown({
    cwd: ROOT,
    input: 'integrations/all.ts',
    platform: 'node',
    plugins: [withoutTexts],
  });
  await bundle.write({ file, format: 'esm' });
  const loaded: { integrations: readonly Integration[] } = await import(pathToFileURL(file).href);
  bare = loaded.integrations;
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

// What the operations say is not of an integration.
const filesOf = (all: readonly Integration[]) => textFilesOf(all, searchTables, { paths: {}, schemas: {} });
const toolsOf = (all: readonly Integration[]) => all.flatMap(({ tools }) => tools);

it('leave the texts out', () => {
  // What a function makes for several integrations keeps its description.
  const kept = toolsOf(bare).filter(({ description }) => description !== '');
  expect(new Set(kept.map(({ description }) => description)).size).toBeLessThan(5);
  expect(bare.map(({ logo }) => logo).filter((logo) => logo)).toEqual([]);
});

it('read a call alike', () => {
  const readBy = (all: readonly Integration[], args: unknown): string[] =>
    toolsOf(all).map((tool) => `${tool.name} ${JSON.stringify(tool.parse(args))}`);
  for (const args of [{}, { page: 'x', unknownArgument: 1 }, null])
    expect(readBy(bare, args)).toEqual(readBy(carried, args));
});

it('have them when somebody has waited, for one integration or for all, and read a file once', async () => {
  const files = filesOf(carried);
  const read: string[] = [];
  const texts = createAssetTexts(
    {
      async get(path) {
        read.push(path);
        const text = files.get(path);
        if (text === undefined) return null;
        return { body: new TextEncoder().encode(text), contentType: 'application/json', immutable: false };
      },
    },
    bare,
  );
  const described = (all: readonly Integration[]) => filesOf(all).get('texts/github.json');
  await Promise.all([texts.of('github'), texts.of('github'), texts.of('unknown')]);
  expect(described(bare)).toBe(described(carried));
  await texts.of('github');
  expect(read).toEqual(['texts/github.json', 'texts/github.json']);
  await texts.all();
  await texts.all();
  expect(read.slice(2)).toEqual(['texts.json']);
  expect(await texts.tables()).toEqual(searchTables);
  expect(Object.fromEntries(filesOf(bare))).toEqual(Object.fromEntries(files));
});

it('say what is missing where the portal was not built', async () => {
  const texts = createAssetTexts({ get: async () => null }, carried);
  await expect(texts.of('github')).rejects.toThrow(
    '[texts] texts/github.json is missing: build the portal, and bind its folder as ASSETS',
  );
});

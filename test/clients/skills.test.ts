// Runs the official client of the skills extension against the gateway: it lists, gets and reads each guide, and checks
// every digest, size and frontmatter. SEP-2640; reference: Skills
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guides } from '../../integrations/guides.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';

let site: Site;
let gateway: Gateway & Banner;
let client: Client;
let skills: SkillsClient;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
  client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: { extensions: { 'io.modelcontextprotocol/skills': {} } },
    },
  );
  const requestInit = { headers: { 'x-service-api-key': gateway.apiKey } };
  const address = new URL(`http://127.0.0.1:${gateway.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  skills = new SkillsClient(client);
});
afterAll(async () => {
  await client.close();
  await site.close();
});

it('knows that the gateway has skills', () => {
  expect(skills.supported).toBe(true);
});

it('lists, gets and reads every guide, and finds nothing wrong', async () => {
  const listing = await skills.list();
  expect(listing.invalid).toEqual([]);
  expect(listing.skills).toHaveLength(Object.keys(guides).length + 1);
  for (const entry of listing.skills) {
    const { skill } = await skills.get(entry.uri);
    expect(skill).toEqual(entry);
    const file = await skills.read(skill);
    expect(file.verified).toBe(true);
    expect(file.frontmatter).toEqual(entry.frontmatter);
  }
});

it('reads the guide of GitHub as it is in its folder', async () => {
  const { skill } = await skills.get('skill://integrations/github/SKILL.md');
  expect((await skills.read(skill)).body?.trim()).toBe(guides['github']?.trim());
});

it('lists the same guides as resources', async () => {
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual((await skills.list()).skills.map(({ uri }) => uri));
});

// Uses the gateway with a client of others as an agent does, and keeps its row of docs/clients.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, ROOT, type Site } from '../support/gateway-process.ts';
import { NINE } from '../support/mcp.ts';
import { type ClientProgram, rowOf, runClient, type Seen } from './client-programs.ts';

const PAGE = join(ROOT, 'docs/clients.md');

/** Starts the gateway that the clients of a file use, and returns what tests them. */
export function clientTests(): (clients: readonly ClientProgram[]) => void {
  let site: Site;
  let gateway: Gateway & Banner;
  beforeAll(async () => {
    site = await openSite();
    gateway = await site.start();
  });
  afterAll(() => site.close());
  return (clients) =>
    it.each(clients.map((client) => ({ client, title: titleOf(client) })))(
      '$title does what an agent does, and mends its mistakes',
      { timeout: 180_000 },
      ({ client }) => use(client, gateway, site.dataDir),
    );
}

const titleOf = ({ name, setting }: ClientProgram) => [name, setting].filter(Boolean).join(' ');

async function use(client: ClientProgram, { base, apiKey }: Gateway & Banner, home: string): Promise<void> {
  const seen = await runClient(client, {
    GATEWAY_URL: base,
    GATEWAY_KEY: apiKey,
    HOME: home,
    PYTHONDONTWRITEBYTECODE: '1',
  });
  const lacks = client.lacks ?? [];
  expect(seen.tools).toEqual(NINE.filter((name) => !lacks.includes(name)).toSorted());
  expect(seen.keepsMembers).toBe(client.losesMembers !== true);
  const isThrown = client.throws === true;
  expect(shown(seen, 'search')).toEqual({ text: expect.stringContaining('time_now'), thrown: false });
  expect(shown(seen, 'run')).toEqual({ text: expect.stringContaining('Europe/Berlin'), thrown: false });
  const mistake = 'Invalid arguments: tool: must be a name, or a list of 1 to 50 names';
  const isWrongThrown = isThrown || client.endsAtWrong === true;
  expect(shown(seen, 'wrong')).toEqual({ text: expect.stringContaining(mistake), thrown: isWrongThrown });
  expect(shown(seen, 'mended')).toEqual({ text: expect.stringContaining('IANA time zone'), thrown: false });
  expect(shown(seen, 'failing')).toEqual({
    text: expect.stringMatching(/Unrecognized key.*timezone.*known: timeZone/),
    thrown: isThrown,
  });
  expect(shown(seen, 'repaired')).toEqual({ text: expect.stringContaining('Europe/Berlin'), thrown: false });
  checkRow(rowOf(client, seen), client.language);
}

function shown({ steps }: Seen, step: string) {
  const found = steps.get(step);
  return found === undefined ? `no step ${step}` : { text: found.text, thrown: found.thrown };
}

/** Looks for the row in the page, or writes it there in the place of the client's last one. */
function checkRow(row: string, language: string): void {
  const page = readFileSync(PAGE, 'utf8');
  if (process.env['WRITE_CLIENTS'] !== '1') return expect(page.split('\n')).toContain(row);
  const [, name = '', , version = ''] = row.split('|').map((cell) => cell.trim());
  const isSame = (line: string) =>
    line.startsWith(`| ${name} | ${language} | ${version.split('.', 1)[0]}.`) && line !== row;
  const kept = page.split('\n').filter((line) => !isSame(line) && line !== row);
  const at = kept.findIndex((line) => line.startsWith('| Client |')) + 2;
  const end = kept.findIndex((line, index) => index >= at && !line.startsWith('|'));
  const rows = [...kept.slice(at, end), row].toSorted();
  writeFileSync(PAGE, [...kept.slice(0, at), ...rows, ...kept.slice(end)].join('\n'));
}

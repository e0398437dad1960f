// Imports what web frameworks describe by themselves, and calls every operation. reference: OpenAPI services
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import {
  type Framework,
  FRAMEWORKS,
  GRAPHQL,
  missingOf,
  OPERATIONS,
  type Operation,
  openShop,
  versionsOf,
} from '../support/frameworks.ts';
import { createImportUser } from '../support/import-user.ts';
import { createTestApp } from '../support/test-app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const PAGE = join(import.meta.dirname, '../../docs/openapi.md');
const CELLS = ['found', 'complete', 'names', 'access', 'connected', 'called'] as const;
const TITLES = [
  'Framework',
  'Found from three addresses',
  'Complete',
  'Names',
  'Access',
  'Connected',
  'Every operation right',
];

const ACCESS: Record<Operation, string> = {
  me: 'read',
  list: 'read',
  get: 'read',
  create: 'write',
  replace: 'write',
  photo: 'write',
  delete: 'destroy',
  purge: 'destroy',
};
const BIKE = { name: 'Für Ana & "Bo"', gears: 7, tags: ['red, dark', 'a=b'] };
const COLORS = ['dark blue', 'red&green=1'];

/** What each operation is called with, and what the service has to understand. */
function callsOf({
  id,
  hasCaption = true,
  limit = 'limit',
  alsoListed,
}: Framework): Record<Operation, { args: object; received: object }> {
  const photo = { photo: 'not a real photo', ...(hasCaption ? { caption: 'the bell' } : {}) };
  return {
    me: { args: {}, received: { person: 'ana' } },
    list: {
      args: { color: COLORS, [limit]: 5, ...alsoListed?.args },
      received: { colors: COLORS, limit: 5, ...alsoListed?.received },
    },
    create: { args: BIKE, received: BIKE },
    get: { args: { [id]: 42 }, received: { id: 42 } },
    replace: { args: { [id]: 42, ...BIKE }, received: { id: 42, ...BIKE } },
    delete: { args: { [id]: 42 }, received: { id: 42 } },
    photo: { args: { [id]: 42, ...photo }, received: { id: 42, ...photo } },
    purge: { args: { before: '2026-01-31' }, received: { before: '2026-01-31' } },
  };
}

interface ShownTool {
  name: string;
  access: string;
}
type Cells = Record<(typeof CELLS)[number], string>;

/** Imports the shop and says of each cell that it holds, or why not. */
async function judge(framework: Framework): Promise<Cells> {
  const shop = await openShop(framework);
  closing.push(shop.close);
  const app = await createTestApp();
  closing.push(app.close);
  const ana = createImportUser(app, await app.user('owner@localhost'));
  const described = shop.base + framework.description;
  const calls = callsOf(framework);
  const lastReceived = async () => (await shop.received()).at(-1);

  async function call(operation: Operation): Promise<void> {
    const { args, received } = calls[operation];
    const answer = await ana.send('POST', '/rest/acme', { tool: framework.tools[operation], args });
    expect(answer.status, `${operation}: ${JSON.stringify(answer.body)}`).toBe(200);
    expect(await lastReceived()).toEqual({ op: operation, ...received });
  }

  const preview = await ana.preview({ address: shop.base });
  await ana.add({ address: shop.base });
  const { tools } = (await ana.get()) as { tools: ShownTool[] };
  const nameOf = ({ name }: ShownTool) => name.replace(/^acme_/, '');
  const checks: Record<keyof Cells, () => unknown> = {
    async found() {
      for (const address of [shop.base, shop.base + framework.page, described]) {
        const found = await ana.preview({ address });
        expect([described, shop.base + framework.alsoAt]).toContain(found.address);
      }
    },
    complete: () => expect(tools).toHaveLength(OPERATIONS.length),
    names: () => expect(tools.map(nameOf).toSorted()).toEqual(Object.values(framework.tools).toSorted()),
    access: () =>
      expect(Object.fromEntries(tools.map((tool) => [nameOf(tool), tool.access]))).toEqual(
        Object.fromEntries(OPERATIONS.map((each) => [framework.tools[each], ACCESS[each]])),
      ),
    async connected() {
      const before = await ana.send('POST', '/rest/acme', { tool: framework.tools.me, args: {} });
      expect(before.body).toMatchObject({ error: 'NOT_CONNECTED' });
      const fields: string[] = preview.auth.fields ?? [];
      await ana.connect(Object.fromEntries(fields.map((field) => [field, 'token-of-ana'])));
      await call('me');
    },
    async called() {
      for (const operation of OPERATIONS) await call(operation);
      expect(await shop.received()).toHaveLength(OPERATIONS.length + 1);
    },
  };
  const cells: [string, string][] = [];
  for (const cell of CELLS) {
    const outcome = await Promise.resolve()
      .then(checks[cell])
      .then(
        () => 'yes',
        (error: unknown) => String(error),
      );
    cells.push([cell, outcome]);
  }
  // Every cell has been judged.
  return Object.fromEntries(cells) as Cells;
}

const rows = new Map<string, Cells>();

/** Why some could not be installed: the registries of Python, Go and Java cannot be reached from everywhere. */
const WITHOUT: Partial<Record<Framework['folder'], string | undefined>> = {
  python: process.env['WITHOUT_PYTHON'],
  go: process.env['WITHOUT_GO'],
  java: process.env['WITHOUT_JAVA'],
};
for (const [folder, why] of Object.entries(WITHOUT))
  if (why !== undefined) process.stderr.write(`SKIPPED the frameworks in ${folder}: ${why}\n`);
const canStart = ({ folder }: Pick<Framework, 'folder'>) => WITHOUT[folder] === undefined;

describe('a framework', () => {
  for (const framework of FRAMEWORKS.filter(canStart)) {
    describeWith(framework.name, missingOf(framework), () => {
      // Java starts slowly on a busy machine.
      it(
        'describes a service that is found, imported, connected and called',
        { timeout: 90_000 },
        async () => {
          const cells = await judge(framework);
          rows.set(framework.name, cells);
          expect(cells).toEqual(Object.fromEntries(CELLS.map((cell) => [cell, 'yes'])));
        },
      );
    });
  }
});

describe('a framework of GraphQL', () => {
  for (const framework of GRAPHQL.filter(canStart)) {
    describeWith(framework.name, missingOf(framework), () => {
      it('is found at its site, connected, queried and changed', async () => {
        const shop = await openShop(framework);
        closing.push(shop.close);
        const app = await createTestApp();
        closing.push(app.close);
        const ana = createImportUser(app, await app.user('owner@localhost'));
        const auth = { type: 'headers', headers: { Authorization: 'Bearer {token}' } };
        expect(await ana.preview({ address: shop.base })).toMatchObject({ address: `${shop.base}/graphql` });
        const { tools } = await ana.add({ address: shop.base, auth });
        expect(tools.map(({ name }: ShownTool) => name)).toEqual([
          'acme_query',
          'acme_mutation',
          'acme_schema',
        ]);
        await ana.connect({ token: 'token-of-ana' });
        const query = 'query Q($colors: [String!]!) { bikes(colors: $colors, limit: 5) { name } }';
        expect(
          await ana.send('POST', '/rest/acme', {
            tool: 'query',
            args: { query, variables: { colors: COLORS } },
          }),
        ).toMatchObject({ status: 200, body: { result: { bikes: [{ name: 'a bike' }] } } });
        expect(
          await ana.send('POST', '/rest/acme', {
            tool: 'mutation',
            args: { query: 'mutation { deleteBike(id: 42) }' },
          }),
        ).toMatchObject({ status: 200, body: { result: { deleteBike: true } } });
        expect(await shop.received()).toEqual([
          { op: 'list', colors: COLORS, limit: 5 },
          { op: 'delete', id: 42 },
        ]);
      });
    });
  }
});

const drawRow = (columns: readonly string[]) => `| ${columns.join(' | ')} |`;

it('is documented with the same table', async () => {
  const page = await readFile(PAGE, 'utf8');
  const drawn = FRAMEWORKS.flatMap((framework) => {
    const cells = rows.get(framework.name);
    const said = `${framework.name} (${versionsOf(framework)})`;
    return cells === undefined
      ? []
      : [drawRow([said, ...CELLS.map((cell) => (cells[cell] === 'yes' ? 'yes' : 'no'))])];
  });
  if (process.env['WRITE_TABLES'] === '1') {
    const table = [drawRow(TITLES), drawRow(TITLES.map(() => '---')), ...drawn].join('\n');
    await writeFile(
      PAGE,
      page.replace(/^\| Framework \|.*(?:\n\|.*)*/m, () => table),
    );
    return;
  }
  // A framework that is not installed here has no row to compare.
  expect(drawn.filter((row) => !page.includes(row))).toEqual([]);
});

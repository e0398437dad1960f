// Checks what happens to stored tools when their source lists other ones. decision: 042
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { canonicalJson } from '../../src/json/canonical.ts';
import { acceptTools, compareTools, describeChange, isBlocking } from '../../src/imports/pinned/compare.ts';
import { pinTools } from '../../src/imports/pinned/pin.ts';
import type { SourceTool } from '../../src/imports/model/source-description.ts';
import type { ImportToolRecord } from '../../src/ports/records.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const clock = createSystemClock(setImmediate);

const TOOL: SourceTool = {
  name: 'send',
  title: 'Send',
  description: 'Sends a message',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { idempotentHint: false },
};

async function list(tools: readonly Partial<SourceTool>[], origin = 'https://a.example') {
  const whole = tools.map((tool) => ({ ...TOOL, ...tool }));
  const { pinned } = await pinTools('acme', whole, { origin, isTaken: () => false, sha256, clock });
  return pinned;
}

const compare = async (
  stored: readonly ImportToolRecord[],
  tools: readonly Partial<SourceTool>[],
  trusts = false,
) => compareTools(stored, await list(tools), { importId: 'i', trusts });
const statesOf = (rows: readonly ImportToolRecord[]) => rows.map(({ name, state }) => [name, state]);
const first = (rows: readonly ImportToolRecord[]): ImportToolRecord => {
  const [row] = rows;
  if (row === undefined) throw new Error('there is no row');
  return row;
};

const { rows: granted } = await compare([], [{}], true);

describe('comparing the tools of a source', () => {
  it('grants what a trusted source lists first, and nothing that comes later', async () => {
    expect(statesOf(granted)).toEqual([['acme_send', 'granted']]);
    const later = await compare(granted, [{}, { name: 'other' }]);
    expect(statesOf(later.rows)).toEqual([
      ['acme_send', 'granted'],
      ['acme_other', 'new'],
    ]);
    expect(later.rows[1]).toMatchObject({ definition: null, digest: null, import_id: 'i', position: 1 });
    expect(statesOf(later.written)).toEqual([['acme_other', 'new']]);
  });

  it('writes nothing when nothing has changed', async () => {
    expect(await compare(granted, [{}])).toEqual({ rows: granted, written: [] });
  });

  it.each<[string, Partial<SourceTool>]>([
    ['arguments', { inputSchema: { type: 'object', properties: { text: {}, bcc: {} } } }],
    ['results', { outputSchema: { type: 'object' } }],
    ['tags', { tags: ['chosen'] }],
    ['hints of its access', { annotations: { destructiveHint: true } }],
    ['operation', { operation: { method: 'DELETE' } }],
    ['source name', { name: 'Send' }],
  ])('blocks calls of a tool with a new definition of its %s', async (_, changed) => {
    const { rows } = await compare(granted, [changed]);
    expect(statesOf(rows)).toEqual([['acme_send', 'changed']]);
    expect(isBlocking(first(rows))).toBe(true);
    expect(first(rows).definition).toBe(first(granted).definition);
  });

  it('blocks calls that would go to another origin', async () => {
    const { rows } = compareTools(granted, await list([{}], 'https://b.example'), {
      importId: 'i',
      trusts: false,
    });
    expect(isBlocking(first(rows))).toBe(true);
  });

  it.each<[string, Partial<SourceTool>]>([
    ['description', { description: 'Sends a message, and a copy to us' }],
    ['title', { title: 'Deliver' }],
    ['hints', { annotations: { idempotentHint: true } }],
  ])('keeps the old text of a tool with another %s, which works on', async (_, changed) => {
    const { rows } = await compare(granted, [changed]);
    expect(statesOf(rows)).toEqual([['acme_send', 'changed']]);
    expect(isBlocking(first(rows))).toBe(false);
    expect(first(rows).definition).toBe(first(granted).definition);
  });

  it('does not grant a change because the source is trusted', async () => {
    expect(statesOf((await compare(granted, [{ inputSchema: {} }], true)).rows)).toEqual([
      ['acme_send', 'changed'],
    ]);
  });

  it('forgets a change that the source has taken back', async () => {
    const changed = (await compare(granted, [{ inputSchema: {} }])).rows;
    expect((await compare(changed, [{}])).rows).toEqual(granted);
  });

  it.each<[string, Partial<SourceTool>, boolean, string]>([
    ['granted', {}, true, 'granted'],
    ['new', {}, false, 'new'],
    ['changed', { description: 'other' }, true, 'changed'],
  ])('gives a tool that was %s the same state when it comes back', async (_, next, trusts, state) => {
    const before = (await compare((await compare([], [{}], trusts)).rows, [next])).rows;
    const gone = (await compare(before, [])).rows;
    expect(statesOf(gone)).toEqual([['acme_send', 'gone']]);
    expect(isBlocking(first(gone))).toBe(true);
    expect(statesOf((await compare(gone, [next])).rows)).toEqual([['acme_send', state]]);
    expect((await compare(gone, [next])).rows).toEqual(before);
  });

  it('does not grant a tool that comes back as another one', async () => {
    const back = (await compare((await compare(granted, [])).rows, [{ inputSchema: {} }], true)).rows;
    expect(statesOf(back)).toEqual([['acme_send', 'changed']]);
    expect(isBlocking(first(back))).toBe(true);
  });

  it('treats a renamed tool as a new one, and the old one as gone', async () => {
    expect(statesOf((await compare(granted, [{ name: 'deliver' }])).rows)).toEqual([
      ['acme_deliver', 'new'],
      ['acme_send', 'gone'],
    ]);
  });

  it('takes over a choice of access that the importer has made', async () => {
    const options = { origin: 'https://a.example', isTaken: () => false, sha256, clock };
    const { pinned } = await pinTools('acme', [TOOL], { ...options, access: { send: 'read' } });
    const { rows, written } = compareTools(granted, pinned, { importId: 'i', trusts: false });
    expect(statesOf(rows)).toEqual([['acme_send', 'granted']]);
    expect(written).toEqual(rows);
    expect(describeChange(first(rows)).old?.access).toBe('read');
  });
});

const old = await compare([], [{}, { name: 'old' }], true);
const { rows: stored } = await compare(old.rows, [{ inputSchema: {} }, { name: 'fresh' }]);

describe('accepting what was found', () => {
  it('grants all that waits, and removes what is gone', () => {
    expect(statesOf(stored)).toEqual([
      ['acme_send', 'changed'],
      ['acme_fresh', 'new'],
      ['acme_old', 'gone'],
    ]);
    const { rows, written, removed } = acceptTools(stored, 'all');
    expect(statesOf(rows)).toEqual([
      ['acme_send', 'granted'],
      ['acme_fresh', 'granted'],
    ]);
    expect(written).toEqual(rows);
    expect(removed).toEqual(['acme_old']);
    expect(rows.map(({ definition }) => definition)).toEqual(stored.slice(0, 2).map(({ found }) => found));
    expect(rows.some(isBlocking)).toBe(false);
  });

  it('grants only the tools that are named', () => {
    const { rows, written, removed } = acceptTools(stored, ['acme_fresh', 'acme_unknown']);
    expect(statesOf(rows)).toEqual([
      ['acme_send', 'changed'],
      ['acme_fresh', 'granted'],
      ['acme_old', 'gone'],
    ]);
    expect(written.map(({ name }) => name)).toEqual(['acme_fresh']);
    expect(removed).toEqual([]);
  });

  it('shows the old and the new definition of what waits', () => {
    expect(describeChange(first(stored))).toEqual({
      name: 'acme_send',
      old: {
        title: 'Send',
        description: 'Sends a message',
        access: 'write',
        schema: { type: 'object', properties: { text: { type: 'string' } }, required: [] },
      },
      new: {
        title: 'Send',
        description: 'Sends a message',
        access: 'write',
        schema: { type: 'object', properties: {}, required: [] },
      },
    });
  });

  it('does not run a definition that cannot be read', () => {
    const row = { ...first(stored), definition: '{' };
    expect(isBlocking(row)).toBe(true);
    expect(describeChange(row).old).toBeNull();
  });
});

describe('access by the words of a tool', () => {
  /** As version 0.2 stored it: what the hints say, and nothing else. */
  const olden = (row: ImportToolRecord, access: string): ImportToolRecord => {
    const { declared: _, ...definition } = JSON.parse(row.definition ?? '{}');
    const text = canonicalJson({ ...definition, access });
    return { ...row, definition: text, digest: sha256(text) };
  };
  const DEFAULTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

  it.each([
    ['a deletion without hints', { name: 'delete_everything' }, 'write', 'destroy'],
    ['the four defaults of the specification', { name: 'save', annotations: DEFAULTS }, 'destroy', 'write'],
  ])('waits for a review after an upgrade, and blocks nothing: %s', async (_, tool, was, becomes) => {
    const { rows } = await compare([], [tool], true);
    const stored = olden(first(rows), was);
    const found = first((await compare([stored], [tool])).rows);
    expect([found.state, isBlocking(found)]).toEqual(['changed', false]);
    expect(describeChange(found)).toMatchObject({ old: { access: was }, new: { access: becomes } });
    const accepted = first(acceptTools([found], 'all').rows);
    expect(describeChange(accepted).old).toMatchObject({ access: becomes });
    expect((await compare([accepted], [tool])).written).toEqual([]);
  });

  it('does not hide that the source itself says something else', async () => {
    const tool = { name: 'delete_everything', annotations: { readOnlyHint: true } };
    const { rows } = await compare([], [tool], true);
    const found = first((await compare(rows, [{ ...tool, annotations: { destructiveHint: false } }])).rows);
    expect([found.state, isBlocking(found)]).toEqual(['changed', true]);
  });
});

it('shows tuples as 2020-12 writes them', async () => {
  const prefixItems = [
    { type: 'number' },
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
  ];
  const at = { type: 'array', prefixItems, items: { type: 'null' } };
  const { rows } = await compare([], [{ inputSchema: { type: 'object', properties: { at } } }], true);
  expect(describeChange(first(rows)).old?.schema).toMatchObject({ properties: { at } });
});

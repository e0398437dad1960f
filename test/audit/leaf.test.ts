// Tests that the hash of a row stays the same while columns join, and hides what is personal. decision: 039
import { expect, it } from 'vitest';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { commitmentOf, hashRow } from '../../src/record/sealing/leaf.ts';
import { readRanges, writeRanges } from '../../src/record/sealing/row-index.ts';

const digest = createNodeDigest();
const row = {
  id: 7,
  user_id: 'ana',
  integration: 'github',
  tool: 'github_list_issues',
  action: 'EXECUTE',
  success: 1,
  error: null,
  duration_ms: 12,
  created_at: 1_800_000_000,
  actor: 'key',
  outcome: 'ok',
  account: null,
  salt: '00000000-0000-4000-8000-000000000000',
  commitment: null,
};

it('has one hash for ever: a change of this value makes every stored segment wrong', () => {
  expect(hashRow(row, digest)).toEqual({
    id: 7,
    content: 'a0a79453edafa4560153768d4996f4748af0ed0dbca8934eae9c1b870be6220a',
    leaf: '6b7d20895a287f1c30c585ed4cd5b9d4d0780e78485143f8184dcd11a4df46be',
  });
});

it('does not change when a column joins that is null, in another order, or when the row is erased', () => {
  const { leaf } = hashRow(row, digest);
  const { id, ...others } = row;
  expect(hashRow({ later: null, ...others, id }, digest).leaf).toBe(leaf);
  const erased = { ...row, user_id: 'deleted-1', actor: null, salt: null };
  expect(hashRow({ ...erased, commitment: commitmentOf(row, digest) }, digest).leaf).toBe(leaf);
  expect(hashRow({ ...row, later: 'x' }, digest).leaf).not.toBe(leaf);
});

it('has another commitment for the same person in another row, and takes values that nobody should have stored', () => {
  const other = { ...row, salt: '00000000-0000-4000-8000-000000000001' };
  expect(commitmentOf(other, digest)).not.toBe(commitmentOf(row, digest));
  for (const error of [new Uint8Array([1]), Number.NaN, '\ud800', 2n ** 70n])
    expect(hashRow({ ...row, error }, digest).leaf).toMatch(/^[0-9a-f]{64}$/);
});

it('writes ids as ranges, and reads no more of them than it may', () => {
  for (const ids of [[1], [1, 2, 3, 7], [-5, -4, 0, 9]]) expect(readRanges(writeRanges(ids), 9)).toEqual(ids);
  for (const text of ['', 'x', '1-', '1-999999999', '1-5,7-12', '5-1'])
    expect(readRanges(text, 9) ?? []).toEqual([]);
});

// Tests the tree hash against its definition, one size after the other. RFC 6962 §2.1
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createMerkleTree } from '../../src/record/sealing/merkle.ts';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The definition: the left part is the largest power of two that is smaller than the list. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  const [first, ...more] = leaves;
  if (first === undefined) return sha256();
  if (more.length === 0) return first;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return sha256(Buffer.from([1]), treeHash(leaves.slice(0, left)), treeHash(leaves.slice(left)));
}

it('has the root that the definition gives, for lists of every size up to 70', () => {
  const digest = createNodeDigest();
  for (let size = 0; size <= 70; size++) {
    const leaves = Array.from({ length: size }, (_, at) => sha256(Buffer.from([0, at])));
    const tree = createMerkleTree(digest);
    for (const leaf of leaves) tree.add(leaf.toString('hex'));
    expect(tree.root()).toBe(treeHash(leaves).toString('hex'));
  }
});

// Computes the Merkle tree hash of a list while its leaves arrive, and holds one hash for each level. RFC 6962 §2.1
import { fromHex } from '../../crypto/encoding.ts';
import type { Digest } from '../../ports/digest.ts';

const NODE_PREFIX = 1;
const HASH_BYTES = 32;

export interface MerkleTree {
  add(leaf: string): void;
  root(): string;
}

export function createMerkleTree(digest: Digest): MerkleTree {
  /** The roots of complete trees, each smaller than the one before it. */
  const complete: { hash: string; leaves: number }[] = [];

  const node = new Uint8Array(1 + 2 * HASH_BYTES);
  node[0] = NODE_PREFIX;

  function join(left: string, right: string): string {
    node.set(fromHex(left), 1);
    node.set(fromHex(right), 1 + HASH_BYTES);
    const running = digest.start();
    running.update(node);
    return running.hex();
  }

  return {
    add(leaf) {
      let tree = { hash: leaf, leaves: 1 };
      for (let last = complete.at(-1); last?.leaves === tree.leaves; last = complete.at(-1)) {
        complete.pop();
        tree = { hash: join(last.hash, tree.hash), leaves: last.leaves + tree.leaves };
      }
      complete.push(tree);
    },
    root() {
      const hashes = complete.map(({ hash }) => hash);
      return hashes.length === 0 ? digest.sha256('') : hashes.reduceRight((right, left) => join(left, right));
    },
  };
}

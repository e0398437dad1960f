// The heads that were kept elsewhere, to compare with the segments of the database: they show that segments were replaced or
// cut off, even by somebody who has the key.
import type { AuditSegment } from '../../ports/audit-segments.ts';
import type { Digest } from '../../ports/digest.ts';
import { headDigest, headText, SignedHead } from './head.ts';
import type { PublicAuditKey } from './key.ts';
import type { Problem } from './problems.ts';

export interface GivenHeads {
  count: number;
  problems: readonly Problem[];
  compare(segment: AuditSegment): Problem[];
  /** The heads whose segments the database does not have. */
  rest(): Problem[];
}

/** Reads lines of JSON. Other lines may be among them, as in a log. */
export async function readGivenHeads(
  lines: AsyncIterable<string> | Iterable<string>,
  keys: readonly PublicAuditKey[],
  digest: Digest,
): Promise<GivenHeads> {
  const digests = new Map<number, string>();
  const problems: Problem[] = [];
  for await (const line of lines) {
    const head = readHead(line);
    if (head === null) continue;
    const { segment } = head;
    const key = keys.find(({ id }) => id === head.key);
    const isSigned = key !== undefined && (await key.verify(headText(head), head.signature));
    const known = digests.get(segment);
    if (!isSigned)
      problems.push({
        kind: 'head',
        segment,
        text: `a given head of segment ${segment} is not signed by a given key`,
      });
    else if (known !== undefined && known !== headDigest(head, digest))
      problems.push({ kind: 'head', segment, text: `there are two signed heads of segment ${segment}` });
    else digests.set(segment, headDigest(head, digest));
  }
  const count = digests.size;
  return {
    count,
    problems,
    compare(segment) {
      const number = segment.segment;
      const known = digests.get(number);
      digests.delete(number);
      if (known === undefined || known === headDigest(segment, digest)) return [];
      const text = `segment ${number} was replaced: its head differs from the one that was kept`;
      return [{ kind: 'head', segment: number, text }];
    },
    rest: () =>
      [...digests.keys()].map((segment) => ({
        kind: 'missing-segment',
        segment,
        text: `segment ${segment} is missing: its head was kept`,
      })),
  };
}

function readHead(line: string): SignedHead | null {
  if (!line.includes('"previous"')) return null;
  try {
    return SignedHead.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

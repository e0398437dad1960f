// Tests the body of an upload to Google Drive. RFC 2387
import { describe, expect, it } from 'vitest';
import { encodeRelated } from '../../integrations/gdrive/related.ts';

const boundaryOf = (content: string): string | undefined => {
  const { headers } = encodeRelated(
    { name: 'a' },
    { type: 'text/plain', bytes: new TextEncoder().encode(content) },
  );
  return /boundary="(.*)"$/.exec(headers['content-type'])?.[1];
};

describe('the boundary of an upload', () => {
  it.each([
    ['', '=_a_file'],
    ['=_a_file', '=_a_file_1_'],
    ['=_a_file_1', '=_a_file_1_'],
    ['=_a_file_1_ =_a_file_3_', '=_a_file_2_'],
    ['=_a_file_1_=_a_file_2_', '=_a_file_3_'],
  ])('does not occur in %j', (content, boundary) => {
    expect(boundaryOf(content)).toBe(boundary);
    expect(content).not.toContain(boundary);
  });

  // In such a file, trying one boundary after the other would take longer than the test's time limit, and
  // would end with a boundary that no server accepts.
  it.each([
    `=_a_file${'_'.repeat(500_000)}`,
    Array.from({ length: 100_000 }, (_, n) => `=_a_file_${n}_`).join(''),
  ])('is found in one pass, and is short', (content) => {
    // RFC 2046 §5.1.1
    expect(boundaryOf(content)?.length).toBeLessThanOrEqual(70);
  });
});

// The body of an upload to Google Drive. RFC 2387
import { describe, expect, it } from 'vitest';
import { encodeRelated } from '../../integrations/gdrive/related.ts';

const boundaryOf = (content: string): string | undefined => {
  const { headers } = encodeRelated(
    { name: 'a' },
    { type: 'text/plain', bytes: new TextEncoder().encode(content) },
  );
  return /boundary="(.*)"$/.exec(headers['content-type'])?.[1];
};

describe('a boundary', () => {
  it.each([
    ['', '=_a_file'],
    ['=_a_file', '=_a_file_1_'],
    ['=_a_file_1', '=_a_file_1_'],
    ['=_a_file_1_ =_a_file_3_', '=_a_file_2_'],
    ['=_a_file_1_=_a_file_2_', '=_a_file_3_'],
  ])('stands nowhere in %j', (content, boundary) => {
    expect(boundaryOf(content)).toBe(boundary);
    expect(content).not.toContain(boundary);
  });

  // What tries one after the other in such a file takes longer than a test may, and no server takes what it ends with.
  it.each([
    `=_a_file${'_'.repeat(500_000)}`,
    Array.from({ length: 100_000 }, (_, n) => `=_a_file_${n}_`).join(''),
  ])('is found at once, and short', (content) => {
    // RFC 2046 §5.1.1
    expect(boundaryOf(content)?.length).toBeLessThanOrEqual(70);
  });
});

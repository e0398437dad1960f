// Tests which files the explorer finds in a tool's result.
import { expect, it } from 'vitest';
import { filesIn } from '../../portal/pages/tools/files-in.ts';

const handle = (letter: string) => `f-tp0hk7-2-${letter.repeat(32)}`;

function file(letter: string, more: object = {}) {
  const url = `https://gateway.example/base/f/${handle(letter)}?k=a-b-c`;
  return { handle: handle(letter), name: `${letter}.txt`, mimeType: 'text/plain', bytes: 2, url, ...more };
}

const find = (result: unknown) => filesIn(JSON.stringify({ result }));
const names = (result: unknown) => find(result).map(({ name }) => name);

it('finds files at the top, in lists and deep inside, each once', () => {
  expect(names({ file: file('a') })).toEqual(['a.txt']);
  expect(
    names([{ file: file('a') }, { deep: [{ deeper: { file: file('b') } }] }, { file: file('a') }]),
  ).toEqual(['a.txt', 'b.txt']);
});

it('links to this gateway, whatever address the result names', () => {
  const path = `/f/${handle('a')}?k=a-b-c`;
  expect(find({ file: file('a') })[0]?.path).toBe(path);
  expect(find({ file: file('a', { url: `https://evil.example${path}` }) })[0]?.path).toBe(path);
});

it.each([
  ['an address of another kind', { url: 'https://evil.example/' }],
  ['a script', { url: 'javascript:alert(1)' }],
  ['an address of another file', { url: file('b').url }],
  ['a handle of another kind', { handle: 'a' }],
  ['no name', { name: undefined }],
  ['a size that is no number', { bytes: '2' }],
])('does not take %s for a file', (_, more) => {
  expect(names({ file: file('a', more) })).toEqual([]);
});

it('finds nothing in text that is not JSON', () => {
  expect(filesIn('a "handle"')).toEqual([]);
});

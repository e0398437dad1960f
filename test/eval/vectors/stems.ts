// Groups the words of a list by stem, for make.py: prints a line of JSON for each stem with the places of its words.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stem } from '../../../src/search/stems.ts';
import { isTellingStem } from '../../../src/search/text-words.ts';

const words = readFileSync(join(import.meta.dirname, 'words.txt'), 'utf8')
  .trim()
  .split('\n');
const groups = Map.groupBy(
  words.map((word, place) => ({ word, place })).filter(({ word }) => isTellingStem(stem(word))),
  ({ word }) => stem(word),
);
for (const [name, members] of groups) {
  const shortest = Math.min(...members.map(({ word }) => word.length));
  // The shortest form says most about a stem.
  const weights = members.map(({ word, place }) => [place, 1 / (1 + word.length - shortest)]);
  console.log(JSON.stringify([name, weights]));
}

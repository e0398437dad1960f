// Tests that texts which read as translated do not come back. decision: 051
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const OLD = [
  'Waiting on administrator',
  'Lapsed',
  'Expires soon',
  'Your agents can use',
  'keeps these sealed',
  'allow this gateway in there',
  "'Leave out'",
  'has done its work',
  'line was cut',
  'finds its way back',
  'can mend',
  'Three steps to the first call',
  'screen shows dots',
  'client is let in',
  'what else there is',
  'lamp turns green when it comes',
  'Unless it is used',
  'tool call made as you',
  'That is everything',
  'reached the provider all the same',
  'answer appears here',
  "'The tool ran.'",
  'changes things for good',
  'load its own files',
  'password is forgotten',
  'There is nothing here',
  'gateway is out of reach',
  'takes long to answer',
  'just begun this yourself',
  'It takes the answer at',
  'There are no cookies of',
  'That was not the password',
  'a client without a name',
  'A client without a name',
  'Somebody who is gone',
  'Use for changes',
  'Where it comes from',
  'Gone at the service',
  'Look at another service',
  'what its tools say',
  'Readable by other sites',
  'Sign-ins of integrations',
  'a public account',
  'Here since',
  'Run again fills',
  'cannot check a key of',
  'run only as tasks',
  'There is neither an MCP server',
  'Read and write',
  'Connect a client',
];

function textsBelow(folder: string): [path: string, text: string][] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [join(folder, path), readFileSync(join(ROOT, folder, path), 'utf8')]);
}

it('no text of the portal or of the gateway’s own pages uses the old words', () => {
  const texts = ['portal', 'src'].flatMap(textsBelow);
  const found = texts.flatMap(([path, text]) =>
    OLD.filter((old) => text.includes(old)).map((old) => `${path}: ${old}`),
  );
  expect(found).toEqual([]);
});

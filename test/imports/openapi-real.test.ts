// Reads real OpenAPI descriptions of every version. decision: 046
import { expect, it } from 'vitest';
import { MAX_TOOLS, readOpenApi } from '../../src/imports/openapi/read.ts';
import { describeWith } from '../support/describe-with.ts';
import { expectSoundSource } from '../support/openapi-source.ts';
import { findReal, REAL, REAL_MODULES, type RealDescription, readReal } from '../support/openapi-corpus.ts';

const ADDRESS = 'https://api.example.com/openapi.json';

/** Why the modules of Go could not be downloaded: their proxy cannot be reached from everywhere. */
const WITHOUT_GO = process.env['WITHOUT_GO'];

function missingOf(descriptions: readonly RealDescription[], install: string): string | undefined {
  const absent = descriptions.find((real) => findReal(real) === null);
  return absent && `${absent.package} is not installed; ${install}`;
}

const read = (name: string): string => {
  const real = [...REAL, ...REAL_MODULES].find((each) => each.name === name);
  return readReal((real && findReal(real)) ?? '');
};

async function makesSoundTools({ name }: RealDescription): Promise<void> {
  const source = await readOpenApi(read(name), { address: ADDRESS });
  expect(source.tools.length).toBeGreaterThan(0);
  expectSoundSource(source);
  expect(source.name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
  expect(URL.canParse(source.base ?? '')).toBe(true);
}

if (WITHOUT_GO !== undefined) process.stderr.write(`SKIPPED descriptions in modules of Go: ${WITHOUT_GO}\n`);
else
  describeWith('descriptions in modules of Go', missingOf(REAL_MODULES, 'npm run corpus:go'), () => {
    it.each(REAL_MODULES)('makes sound tools of $name, which comes with $package', makesSoundTools, 120_000);
  });

describeWith('real descriptions', missingOf(REAL, 'npm run corpus'), () => {
  it.each(REAL)('makes sound tools of $name, which comes with $package', makesSoundTools);

  it('makes the same tool whatever else is chosen', async () => {
    const text = read('GitHub');
    const all = await readOpenApi(text, { address: ADDRESS });
    const some = await readOpenApi(text, { address: ADDRESS, choose: { tags: ['issues'] } });
    expect(some.tools.length).toBeGreaterThan(50);
    expect(some.tools.length).toBeLessThan(MAX_TOOLS);
    const byName = new Map(all.tools.map((tool) => [tool.name, JSON.stringify(tool)]));
    for (const tool of some.tools) expect(JSON.stringify(tool)).toBe(byName.get(tool.name));
    expect(some.tags).toEqual(all.tags);
    expect(all.tags?.find(({ name }) => name === 'issues')?.tools).toBe(some.tools.length);
  });

  it('keeps the words of GitHub for creating an issue', async () => {
    const source = await readOpenApi(read('GitHub'), {
      address: ADDRESS,
      choose: { operations: ['issues/create'] },
    });
    const [tool] = source.tools;
    expect(tool).toMatchObject({
      name: 'issues_create',
      title: 'Create an issue',
      access: 'write',
      tags: ['issues'],
    });
    expect(tool?.inputSchema).toMatchObject({
      required: ['owner', 'repo', 'title'],
      additionalProperties: false,
    });
    expect(tool?.operation).toMatchObject({ method: 'POST', path: '/repos/{owner}/{repo}/issues' });
  });
});

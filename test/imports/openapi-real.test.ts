// Reads real OpenAPI descriptions of every version. decision: 046
import { expect, it } from 'vitest';
import { MAX_TOOLS, readOpenApi } from '../../src/imports/openapi/read.ts';
import { describeWith } from '../support/describe-with.ts';
import { expectSoundSource } from '../support/openapi-source.ts';
import { findReal, REAL, readReal } from '../support/openapi-corpus.ts';

const ADDRESS = 'https://api.example.com/openapi.json';

const absent = REAL.find((real) => findReal(real) === null);
const missing = absent && `${absent.package} is not installed; npm run corpus`;

const read = (name: string): string => {
  const real = REAL.find((each) => each.name === name);
  return readReal((real && findReal(real)) ?? '');
};

describeWith('real descriptions', missing, () => {
  it.each(REAL)('makes sound tools of $name, which comes with $package', async ({ name }) => {
    const source = await readOpenApi(read(name), { address: ADDRESS });
    expect(source.tools.length).toBeGreaterThan(0);
    expectSoundSource(source);
    expect(source.name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
    expect(URL.canParse(source.base ?? '')).toBe(true);
  });

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

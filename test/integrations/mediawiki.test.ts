// Tests MediaWiki: tool, arguments → expected requests, bodies included.
import { describe, expect, it } from 'vitest';
import { mediawiki } from '../../integrations/mediawiki/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { run } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const QUERY = 'GET /api.php?action=query&format=json&formatversion=2';
const TOKEN = 'GET /api.php?action=query&meta=tokens&format=json&formatversion=2&assert=user';
const FORM = 'format=json&formatversion=2&assert=user';
const token = { query: { tokens: { csrftoken: 'abc+\\' } } };
const edit = { edit: { result: 'Success', newrevid: 5 } };
const found = { query: { search: [], userinfo: { id: 1, name: 'Ana' } } };

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['mediawiki_whoami', {}, `${QUERY}&meta=userinfo`, [found]],
  [
    'mediawiki_search',
    { query: 'a & b' },
    `${QUERY}&list=search&srwhat=text&srsearch=a+%26+b&srlimit=10`,
    [found],
  ],
  ['mediawiki_get_page', { title: 'Größe/A & B?' }, 'GET /rest.php/v1/page/Gr%C3%B6%C3%9Fe%2FA%20%26%20B%3F'],
  ['mediawiki_get_page_html', { title: 'A/B' }, 'GET /rest.php/v1/page/A%2FB/html', ['<p>A</p>']],
  [
    'mediawiki_edit_page',
    { title: 'Größe/A', text: 'x & y\nz', summary: 's', baseRevId: '4', section: '2' },
    [
      TOKEN,
      `POST /api.php action=edit&${FORM}&title=Gr%C3%B6%C3%9Fe%2FA&text=x+%26+y%0Az&summary=s&section=2&baserevid=4&token=abc%2B%5C`,
    ],
    [token, edit],
  ],
  [
    'mediawiki_append_page',
    { title: 'A', appendText: '\nmore' },
    [TOKEN, `POST /api.php action=edit&${FORM}&title=A&appendtext=%0Amore&token=abc%2B%5C`],
    [token, edit],
  ],
  ['mediawiki_list_history', { title: 'A', olderThan: '9' }, 'GET /rest.php/v1/page/A/history?older_than=9'],
  [
    'mediawiki_list_recent_changes',
    { namespace: '0|1' },
    `${QUERY}&list=recentchanges&rcprop=title%7Cids%7Cuser%7Ccomment%7Ctimestamp%7Csizes%7Cflags&rclimit=20&rcnamespace=0%7C1`,
    [found],
  ],
  [
    'mediawiki_list_categories',
    { prefix: 'Ma', limit: 5 },
    `${QUERY}&list=allcategories&acprefix=Ma&aclimit=5`,
    [found],
  ],
  [
    'mediawiki_upload_file',
    { filename: 'Größe.png', contentBase64: btoa('\x89PNG'), comment: 'c' },
    [
      TOKEN,
      'POST /api.php action=upload&format=json&formatversion=2&assert=user&filename=Größe.png&comment=c&token=abc+\\&file=Größe.png:89504e47',
    ],
    [token, { upload: { result: 'Success' } }],
  ],
];

async function exchange(name: string, args: object, answers: readonly unknown[] = []) {
  const requests: string[] = [];
  const left = [...answers];
  const result = await run(mediawiki, name, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    fetch: () => Promise.reject(new Error('none')),
    async upstream(call) {
      requests.push(await lineOf(call));
      const answer = left.shift() ?? {};
      return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
    },
  });
  return { requests, result };
}

async function lineOf({ method, path, query, headers, body }: UpstreamCall): Promise<string> {
  const search = query === undefined || query.size === 0 ? '' : `${path.includes('?') ? '&' : '?'}${query}`;
  const line = `${method} ${path}${search}`;
  if (body === undefined || body === null) return line;
  const type = headers?.['content-type'] ?? '';
  const sent = new Response(body, { headers: { 'content-type': type } });
  if (type.startsWith('application/x-www-form-urlencoded')) return `${line} ${await sent.text()}`;
  const parts = [...(await sent.formData())].map(async ([name, value]) => {
    if (typeof value === 'string') return `${name}=${value}`;
    return `${name}=${value.name}:${Buffer.from(await value.arrayBuffer()).toString('hex')}`;
  });
  return `${line} ${(await Promise.all(parts)).join('&')}`;
}

describe('mediawiki', () => {
  for (const [name, args, requests, answers] of rows) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      expect((await exchange(name, args, answers)).requests).toEqual([requests].flat());
    });
  }

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(mediawiki.tools.map(({ name }) => name)));
  });

  it('calls the script path of an instance', () => {
    const instanceUrl = 'https://wiki.example/w';
    expect(resolveBase(mediawiki, { instanceUrl })).toEqual({ ok: true, base: instanceUrl });
    expect(resolveBase(mediawiki, {}).ok).toBe(false);
  });

  it('returns the content of the response, and HTML unchanged', async () => {
    expect((await exchange('mediawiki_whoami', {}, [found])).result).toEqual({ id: 1, name: 'Ana' });
    const { result } = await exchange('mediawiki_get_page_html', { title: 'A' }, ['<p>A</p>']);
    expect(result).toEqual({ html: '<p>A</p>' });
    const warned = { warnings: { main: { warnings: 'old' } }, ...edit };
    const args = { title: 'A', text: 'x' };
    expect((await exchange('mediawiki_edit_page', args, [token, warned])).result).toEqual(edit.edit);
  });

  it('treats an error with status 200 as an error', async () => {
    const args = { title: 'A', text: 'x' };
    const refused = { error: { code: 'protectedpage', info: 'This page has been protected.' } };
    await expect(exchange('mediawiki_search', { query: 'x' }, [refused])).rejects.toThrow(
      'protectedpage: This page has been protected.',
    );
    await expect(exchange('mediawiki_edit_page', args, [token, refused])).rejects.toThrow(/^protectedpage: /);
    const captcha = { edit: { result: 'Failure', captcha: { question: '1+1' } } };
    await expect(exchange('mediawiki_edit_page', args, [token, captcha])).rejects.toThrow(/captcha/);
    await expect(exchange('mediawiki_edit_page', args, [token, {}])).rejects.toThrow(/did not edit/);
  });

  it.each(['mediawiki_whoami', 'mediawiki_get_page', 'mediawiki_edit_page'])(
    'says in %s that a page is not a response',
    async (name) => {
      const args = { mediawiki_whoami: {}, mediawiki_get_page: { title: 'A' } }[name] ?? {
        title: 'A',
        text: '',
      };
      await expect(exchange(name, args, ['<html>Sign in'])).rejects.toThrow(/session may have ended/);
    },
  );

  it('uploads a file of some megabytes', async () => {
    const args = { filename: 'Big.bin', contentBase64: Buffer.alloc(6_000_000, 7).toString('base64') };
    const { requests } = await exchange('mediawiki_upload_file', args, [
      token,
      { upload: { result: 'Success' } },
    ]);
    expect(requests[1]?.endsWith('07'.repeat(100))).toBe(true);
    await expect(exchange('mediawiki_upload_file', { ...args, contentBase64: 'no!' })).rejects.toThrow(
      /base64/,
    );
  });
});

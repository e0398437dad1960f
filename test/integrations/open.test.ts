// Tests the built-in tools that read the open web.
import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { osv } from '../../integrations/osv/manifest.ts';
import { toText } from '../../integrations/html/to-text.ts';
import { wikipedia } from '../../integrations/wikipedia/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { call } from '../support/mcp.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createTestApp } from '../support/test-app.ts';

describe('osv', () => {
  it('asks for a package and for one vulnerability', async () => {
    expect(
      await sent(osv, 'osv_query_package', { name: 'lodash', ecosystem: 'npm', version: '4.17.20' }),
    ).toEqual([
      'POST https://api.osv.dev/v1/query {"package":{"name":"lodash","ecosystem":"npm"},"version":"4.17.20"}',
    ]);
    expect(
      await sent(osv, 'osv_query_package', { name: 'linux', ecosystem: 'Debian:12', pageToken: 't' }),
    ).toEqual([
      'POST https://api.osv.dev/v1/query {"package":{"name":"linux","ecosystem":"Debian:12"},"page_token":"t"}',
    ]);
    expect(await sent(osv, 'osv_get_vulnerability', { id: 'GHSA-1/2' })).toEqual([
      'GET https://api.osv.dev/v1/vulns/GHSA-1%2F2',
    ]);
  });
});

describe('wikipedia', () => {
  it('asks the Wikipedia of the given language', async () => {
    expect(await sent(wikipedia, 'wikipedia_search', { query: 'Käse & Wein', language: 'de' })).toEqual([
      'GET https://de.wikipedia.org/w/rest.php/v1/search/page?q=K%C3%A4se+%26+Wein&limit=10',
    ]);
    expect(await sent(wikipedia, 'wikipedia_get_page', { title: 'AC/DC band' })).toEqual([
      'GET https://en.wikipedia.org/w/rest.php/v1/page/AC%2FDC_band/html',
    ]);
  });

  it.each(['en.evil.example/', 'EN', 'x', '../..', 'de.m', '@evil'])(
    'refuses an address as a language: %s',
    async (language) => {
      await expect(sent(wikipedia, 'wikipedia_search', { query: 'x', language })).rejects.toThrow(/language/);
    },
  );
});

describe('wikipedia_get_page with a section', () => {
  const ARTICLE =
    '<p>Lead.</p><section><h2 id="Life">Early <i>life</i></h2><p>Born.</p><section><h3>School</h3><p>Read.</p></section></section><section><h2>Legacy &amp; honours</h2><p>Remembered.</p></section>';
  const read = (section: string, html = ARTICLE) =>
    run(
      wikipedia,
      'wikipedia_get_page',
      { title: 'Ada', section },
      {
        userId: 'u',
        clock: createFakeClock(),
        files: createMemoryFiles(),
        upstream: () => Promise.reject(new Error('it has no connection')),
        fetch: async () => new Response(html, { headers: { 'content-type': 'text/html' } }),
      },
    );

  it.each([
    ['early life', 'Early life\n\nBorn.\n\nSchool\n\nRead.'],
    ['School', 'School\n\nRead.'],
    ['Legacy & honours', 'Legacy & honours\n\nRemembered.'],
  ])('returns the text of %s as far as the next heading of its level', async (section, text) => {
    expect(await read(section)).toEqual({ title: 'Ada', section, text });
  });

  it('answers an unknown section with the list of sections', async () => {
    await expect(read('Death')).rejects.toThrow(
      'The article has no section "Death". Its sections are: Early life, School, Legacy & honours.',
    );
    await expect(read('Death', '<p>Short.</p>')).rejects.toThrow('It has no sections: leave section out.');
  });

  // A pattern that looks for each end through the whole page takes longer than the time limit of a test.
  it('takes linear time for headings that never end', async () => {
    await expect(read('Death', '<h2>'.repeat(200_000))).rejects.toThrow('It has no sections');
  });
});

describe('HTML as text', () => {
  it.each([
    ['<p>One</p><p>two &amp; <b>three</b></p>', 'One\n\ntwo & three'],
    ['<script>alert(1)</script>a<style>b{}</style>c', 'ac'],
    ['a<!-- <b>no</b> -->b', 'ab'],
    ['a &lt;b&gt; &#228; &#xe4; &#0; &nope;', 'a <b> ä ä \ufffd &nope;'],
    ['Gr&uuml;&szlig;e, &Uuml;ber&nbsp;uns &frac12; &bdquo;ja&ldquo; &AMP;', 'Grüße, Über uns ½ „ja“ &'],
    ['<ul><li>x<li>y</ul>', 'x\ny'],
    ['<table><tr><th>Name</th><th>Price</th></tr><tr><td>Tea<td>3</table>', 'Name Price\n\nTea 3'],
    ['<p>Run</p><pre>\nif x:\n    go( 1,  2)\n</pre><p>then</p>', 'Run\n\nif x:\n    go( 1,  2)\n\nthen'],
    ['<pre><div>a</div><div>  b\n</div>c<br>&lt;d&gt;</pre>', 'a\n  b\nc\n<d>'],
    ['a<pre>  never\n closed', 'a\n\n  never\n closed'],
    ['a <', 'a'],
    ['a <b', 'a'],
    ['<script>never closed', ''],
    ['<script>a</scripting>b</script >c', 'c'],
    ['<div class="[&>p]:m">Hi</div>', 'Hi'],
    [`<p data-mw='{"wt":"&lt;br />x"}'>a</p>`, 'a'],
    [`<p title=it's>a</p><p title="open>b</p>`, 'a\n\nb'],
  ])('%s', (html, text) => {
    expect(toText(html).text).toBe(text);
  });

  it('keeps headings, lists and links as Markdown', () => {
    const html = '<title>The  page</title><h2>Head</h2><ul><li><a href="/x">link</a></li></ul>';
    expect(toText(html, true)).toEqual({ title: 'The page', text: '## Head\n\n- [link](/x)' });
  });

  it('fences code as Markdown, without links in it', () => {
    const html = '<h2>Use</h2><pre><code><a href="/f">f</a>(x):\r\n\treturn  x\n</code></pre>done';
    expect(toText(html, true).text).toBe('## Use\n\n```\nf(x):\n\treturn  x\n```\n\ndone');
  });

  it('converts hostile pages in one pass', () => {
    const units = [
      '<',
      '<a ',
      '<!--',
      '<script>',
      '</',
      '&',
      '<p>',
      '<a href="',
      '<title',
      '<pre>',
      '<pre></div>',
      '<a ="',
      '=',
      "<a ='",
    ];
    for (const unit of units) expect(typeof toText(unit.repeat(200_000)).text).toBe('string');
    expect(toText(`<script>${'</script '.repeat(200_000)}`).text).toBe('');
  });
});

describe('web_fetch, through the engine', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  }

  async function fetchPage(args: object, env: Record<string, string> = {}) {
    const app = await createTestApp({ env });
    closing.push(() => app.close());
    const { results } = await call(app, (await app.user()).keyHeader, 'execute_tools', {
      executions: [{ tool: 'web_fetch', args }],
    });
    return results[0];
  }

  it('decodes a page by its own charset, and truncates it at the given length', async () => {
    const url = await listen((_, response) => {
      response.setHeader('content-type', 'text/html; charset=iso-8859-1');
      response.end(Buffer.from('<title>Grüße</title><p>größer als</p>', 'latin1'));
    });
    expect(await fetchPage({ url, maxChars: 6 })).toEqual({
      result: { url, status: 200, title: 'Grüße', text: 'größer', truncated: 10 },
    });
  });

  it('returns the final address, and resolves the links of the page against it', async () => {
    const url = await listen((request, response) => {
      if (request.url === '/') return response.writeHead(302, { location: '/en/start' }).end();
      return response.setHeader('content-type', 'text/html').end('<a href="next">on</a>');
    });
    expect(await fetchPage({ url })).toMatchObject({
      result: { url: `${url}/en/start`, text: '[on](next)' },
    });
  });

  it('keeps what is no text as a file', async () => {
    const picture = await listen((_, response) => response.setHeader('content-type', 'image/png').end('x'));
    expect(await fetchPage({ url: `${picture}/logo.png` })).toEqual({
      result: {
        url: `${picture}/logo.png`,
        status: 200,
        mimeType: 'image/png',
        file: expect.objectContaining({ name: 'logo.png', mimeType: 'image/png', bytes: 1 }),
      },
    });
  });

  it('refuses private addresses, and too many redirects', async () => {
    const picture = await listen((_, response) => response.setHeader('content-type', 'image/png').end('x'));
    const circle = await listen((_, response) => response.writeHead(302, { location: '/' }).end());
    expect((await fetchPage({ url: circle })).error).toMatch(/redirects too often/);
    const SECRET = '0123456789abcdef'.repeat(4);
    const open = {
      SERVER_PUBLIC_URL: 'https://gate.example',
      SESSION_SECRET: SECRET,
      ENCRYPTION_KEY: SECRET,
    };
    expect((await fetchPage({ url: picture }, open)).error).toMatch(/not allowed/);
    expect((await fetchPage({ url: 'file:///etc/passwd' })).error).toBe('Invalid arguments');
  });
});

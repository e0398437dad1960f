// Tests what the integrations of Microsoft 365 share: the tenant of a sign-in, pages, and Markdown.
import { describe, expect, it, onTestFinished } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { literal, phrase, readPage } from '../../integrations/microsoft/graph.ts';
import { readBody, toHtml } from '../../integrations/microsoft/html.ts';
import { showRecipient, toRecipient } from '../../integrations/microsoft/recipients.ts';
import { CLIENT, connectTo, type OAuthApi, startOAuthApi } from '../support/fake-oauth-api.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const NAMES = ['outlook', 'outlook_calendar', 'teams', 'onedrive', 'ms_todo', 'excel'];
const LOGIN = 'https://login.microsoftonline.com';
const ANA = { id: '7', displayName: 'Ana Silva', userPrincipalName: 'ana@contoso.com' };

/** Microsoft with one client, which works at the sign-in addresses of one tenant only. */
async function open(
  tenant: string,
  env: Record<string, string> = {},
): Promise<{ microsoft: OAuthApi; app: TestApp; ana: Person }> {
  const token = `/${tenant}/oauth2/v2.0/token`;
  const microsoft = await startOAuthApi(
    {
      tokenPath: token,
      refreshPath: token,
      body: 'form',
      clientAuth: 'post',
      rotates: true,
      expiresIn: 3600,
    },
    ({ method, path }) =>
      `${method} ${path}` === 'GET /v1.0/me'
        ? Response.json(ANA)
        : Response.json({ error: { code: 'BadRequest', message: `no ${path}` } }, { status: 400 }),
  );
  const clients = NAMES.map((name) => name.toUpperCase()).flatMap((name) => [
    [`${name}_CLIENT_ID`, CLIENT.id],
    [`${name}_CLIENT_SECRET`, CLIENT.secret],
  ]);
  const map = [LOGIN, 'https://graph.microsoft.com'].map((origin) => `${origin}=${microsoft.url}`).join(',');
  const app = await createTestApp({ env: { ...Object.fromEntries(clients), UPSTREAM_MAP: map, ...env } });
  onTestFinished(async () => {
    await app.close();
    await microsoft.close();
  });
  return { microsoft, app, ana: await createPerson(app) };
}

describe('the sign-in of Microsoft', () => {
  it('is at common unless the operator says otherwise, and asks which account', async () => {
    const { microsoft, app, ana } = await open('common');
    const { authorize, end } = await connectTo(microsoft, { app, person: ana, integration: 'outlook' });
    expect(`${authorize.origin}${authorize.pathname}`).toBe(`${LOGIN}/common/oauth2/v2.0/authorize`);
    expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
      client_id: CLIENT.id,
      scope: 'offline_access User.Read Mail.ReadWrite Mail.Send',
      prompt: 'select_account',
      code_challenge_method: 'S256',
    });
    expect(end).toBe('http://localhost:3000#connected=outlook');
    expect(await ana.run('outlook_whoami')).toEqual(ANA);
  });

  it.each(['contoso.onmicrosoft.com', '72f988bf-86f1-41af-91ab-2d7cd011db47', 'consumers'])(
    'is at the tenant %s where the operator has set it, also for a refresh',
    async (tenant) => {
      const { microsoft, app, ana } = await open(tenant, { MICROSOFT_TENANT: tenant });
      const { authorize, end } = await connectTo(microsoft, { app, person: ana, integration: 'teams' });
      expect(`${authorize.origin}${authorize.pathname}`).toBe(`${LOGIN}/${tenant}/oauth2/v2.0/authorize`);
      expect(end).toBe('http://localhost:3000#connected=teams');
      app.clock.advance(3600);
      expect(await ana.run('teams_whoami')).toEqual(ANA);
      const path = `/${tenant}/oauth2/v2.0/token`;
      expect(microsoft.grants).toEqual([
        { path, type: 'authorization_code', status: 200 },
        { path, type: 'refresh_token', status: 200 },
      ]);
    },
  );

  it('connects nothing with a client of another tenant', async () => {
    const { microsoft, app, ana } = await open('contoso.onmicrosoft.com');
    const { end } = await connectTo(microsoft, { app, person: ana, integration: 'outlook' });
    expect(end).not.toContain('#connected');
    await expect(ana.run('outlook_whoami')).rejects.toThrow('NOT_CONNECTED');
  });

  it('serves all six integrations with one client, each with its own grant', async () => {
    const { microsoft, app, ana } = await open('common');
    for (const integration of NAMES) {
      const { end } = await connectTo(microsoft, { app, person: ana, integration });
      expect(end).toBe(`http://localhost:3000#connected=${integration}`);
    }
    expect(microsoft.grants.map(({ type }) => type)).toEqual(NAMES.map(() => 'authorization_code'));
  });

  it.each(['contoso/../evil', 'a/b', 'a?b', 'evil.example#', '..', '{x}'])(
    'does not start with the tenant "%s"',
    async (tenant) => {
      await expect(createTestApp({ env: { MICROSOFT_TENANT: tenant } })).rejects.toThrow('MICROSOFT_TENANT');
    },
  );

  it('names a page to remove the grant, because Microsoft has no request for it', () => {
    const own = integrations.filter(({ name }) => NAMES.includes(name));
    expect(own.map(({ revoke }) => revoke)).toEqual(
      NAMES.map(() => ({ at: 'https://myapps.microsoft.com/' })),
    );
  });
});

describe('a list of Microsoft Graph', () => {
  const link = 'https://evil.example/v9/other?%24top=2&%24filter=a%20eq%20%27b%27&%24skiptoken=x%2By';

  it('is continued with the whole query of its link, at the own address of the tool', async () => {
    const calls: string[] = [];
    const upstream = async ({
      method,
      path,
      query,
    }: {
      method: string;
      path: string;
      query?: URLSearchParams;
    }) => {
      calls.push(`${method} ${path}?${String(query)}`);
      return Response.json({
        value: [{ id: '1' }],
        ...(calls.length === 1 ? { '@odata.nextLink': link } : {}),
      });
    };
    const query = { $top: 2, $filter: undefined };
    const first = await readPage(upstream, 'GET /me/{id}', { place: { id: 'a/b' }, query, page: undefined });
    expect(first).toEqual({
      items: [{ id: '1' }],
      nextPage: '%24top=2&%24filter=a%20eq%20%27b%27&%24skiptoken=x%2By',
    });
    const { nextPage: page } = first;
    const second = await readPage(upstream, 'GET /me/{id}', { place: { id: 'a/b' }, query, page });
    expect(second).toEqual({ items: [{ id: '1' }] });
    expect(calls).toEqual([
      'GET /me/a%2Fb?%24top=2',
      'GET /me/a%2Fb?%24top=2&%24filter=a+eq+%27b%27&%24skiptoken=x%2By',
    ]);
  });

  it('refuses a page that no answer has named', async () => {
    const upstream = () => Promise.reject(new Error('nothing is sent'));
    await expect(readPage(upstream, 'GET /me/x', { page: '2' })).rejects.toThrow('nextPage');
  });
});

describe('the spelling of Microsoft Graph', () => {
  it('keeps a quote inside the text of a filter and of a search', () => {
    expect(literal("O'Neil' or 1 eq 1")).toBe("'O''Neil'' or 1 eq 1'");
    expect(phrase('subject:"a \\ b"')).toBe('"subject:\\"a \\\\ b\\""');
  });

  it.each([
    ['ana@x.org', { address: 'ana@x.org' }],
    ['Ana Silva <ana@x.org>', { address: 'ana@x.org', name: 'Ana Silva' }],
    ['"Silva, Ana" <ana@x.org>', { address: 'ana@x.org', name: 'Silva, Ana' }],
  ])('reads the person %s', (mailbox, emailAddress) => {
    expect(toRecipient(mailbox)).toEqual({ emailAddress });
  });

  it('refuses what is no address, and shows a person without a name', () => {
    expect(() => toRecipient('Ana')).toThrow('"Ana" is no mail address');
    expect(showRecipient({ emailAddress: { name: 'a@x.org', address: 'a@x.org' } })).toBe('a@x.org');
    expect(showRecipient({ emailAddress: { name: 'Ana', address: 'a@x.org' } })).toBe('Ana <a@x.org>');
    expect(showRecipient(null)).toBeUndefined();
  });
});

describe('Markdown for Microsoft 365', () => {
  it('becomes HTML', () => {
    const markdown = [
      '# Größe & "Plan"',
      '',
      'Hello **Ana** and *Bob*, see [the plan](https://x.org/?a=1&b=2) or `a<b`.',
      'Next line',
      '',
      '- one',
      '  - two',
      '- three',
      '',
      '3. third',
      '',
      '> quoted',
      '',
      '```js',
      'if (a < b) {}',
      '```',
      '',
      '| A | B |',
      '|---|---|',
      '| 1 | ~~2~~ |',
      '',
      '---',
    ].join('\n');
    expect(toHtml(markdown).split('\n')).toEqual([
      '<h1>Größe &amp; &quot;Plan&quot;</h1>',
      '<p>Hello <b>Ana</b> and <i>Bob</i>, see <a href="https://x.org/?a=1&amp;b=2">the plan</a> or <code>a&lt;b</code>.<br>Next line</p>',
      '<ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>',
      '<ol start="3"><li>third</li></ol>',
      '<blockquote><p>quoted</p></blockquote>',
      '<pre><code>if (a &lt; b) {}</code></pre>',
      '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><s>2</s></td></tr></table>',
      '<hr>',
    ]);
  });

  it('cannot become an element or an attribute of its own', () => {
    expect(
      toHtml('<img src=x onerror=alert(1)> [a](https://x.org/"onclick="b) [b](javascript:alert(1))'),
    ).toBe(
      '<p>&lt;img src=x onerror=alert(1)&gt; <a href="https://x.org/&quot;onclick=&quot;b">a</a> [b](javascript:alert(1))</p>',
    );
  });

  it('comes back from HTML, without styles and scripts', () => {
    const content =
      '<html><head><style>p{}</style></head><body><h2>Plan</h2><p>Hello&nbsp;Ana,<br>see <a href="https://x.org">this</a></p><ul><li>one</li></ul></body></html>';
    expect(readBody({ contentType: 'html', content })).toBe(
      '## Plan\n\nHello Ana,\nsee [this](https://x.org)\n\n- one',
    );
    expect(readBody({ contentType: 'text', content: 'a\r\nb\r\n' })).toBe('a\nb');
    expect(readBody(null)).toBe('');
  });
});

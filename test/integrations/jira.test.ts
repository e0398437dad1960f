// Tests Jira: tool, arguments → expected requests; and Markdown as an Atlassian document.
import { describe, expect, it } from 'vitest';
import { toAdf } from '../../integrations/atlassian/adf.ts';
import { jira } from '../../integrations/jira/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { sent } from '../support/capture.ts';

const issue = { issueIdOrKey: 'WEB-1' };
const AT = '/rest/api/3/issue/WEB-1';
const document = (text: string) =>
  `{"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"${text}"}]}]}`;
const transitions = {
  transitions: [
    { id: '11', name: 'Start progress', to: { name: 'In Progress' } },
    { id: '21', name: 'Done', to: { name: 'Closed' } },
    { id: '31', name: 'Archive', to: { name: 'Done' } },
  ],
};

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /rest/api/3/myself'],
  [
    'search_issues',
    { jql: 'project = "Größe" AND a ~ "b&c"', fields: 'summary,status', nextPageToken: 'n', expand: 'names' },
    'GET /rest/api/3/search/jql?jql=project = "Größe" AND a ~ "b&c"&fields=summary,status&maxResults=25&nextPageToken=n&expand=names',
  ],
  ['get_issue', { ...issue, fields: '*all', expand: 'changelog' }, `GET ${AT}?fields=*all&expand=changelog`],
  [
    'create_issue',
    {
      projectKey: 'WEB',
      issueType: 'Bug',
      summary: 'Größe',
      description: 'ü',
      fields: { labels: ['a'], environment: 'e' },
    },
    `POST /rest/api/3/issue {"fields":{"project":{"key":"WEB"},"issuetype":{"name":"Bug"},"summary":"Größe","description":${document('ü')},"labels":["a"],"environment":${document('e')}}}`,
  ],
  [
    'update_issue',
    {
      ...issue,
      fields: { description: 'd', priority: { name: 'High' } },
      update: { labels: [{ add: 'x' }] },
    },
    `PUT ${AT} {"update":{"labels":[{"add":"x"}]},"fields":{"description":${document('d')},"priority":{"name":"High"}}}`,
  ],
  ['delete_issue', { ...issue, deleteSubtasks: 'true' }, `DELETE ${AT}?deleteSubtasks=true`],
  ['list_transitions', issue, `GET ${AT}/transitions`],
  ['transition_issue', { ...issue, transitionId: '5' }, `POST ${AT}/transitions {"transition":{"id":"5"}}`],
  [
    'transition_issue',
    { ...issue, transitionName: 'done', fields: { resolution: { name: 'Fixed' } } },
    [
      `GET ${AT}/transitions`,
      `POST ${AT}/transitions {"transition":{"id":"21"},"fields":{"resolution":{"name":"Fixed"}}}`,
    ],
    [transitions],
  ],
  [
    'transition_issue',
    { ...issue, transitionName: 'In Progress' },
    [`GET ${AT}/transitions`, `POST ${AT}/transitions {"transition":{"id":"11"}}`],
    [transitions],
  ],
  ['assign_issue', { ...issue, accountId: '5b10' }, `PUT ${AT}/assignee {"accountId":"5b10"}`],
  ['assign_issue', issue, `PUT ${AT}/assignee {"accountId":null}`],
  [
    'list_comments',
    { ...issue, startAt: 50, orderBy: '-created' },
    `GET ${AT}/comment?startAt=50&maxResults=50&orderBy=-created`,
  ],
  ['add_comment', { ...issue, body: 'Grüße' }, `POST ${AT}/comment {"body":${document('Grüße')}}`],
  ['list_worklogs', { ...issue, startAt: 20, maxResults: 20 }, `GET ${AT}/worklog?startAt=20&maxResults=20`],
  [
    'add_worklog',
    { ...issue, timeSpent: '3h 20m', started: '2026-03-01T09:00:00+01:00', comment: 'c' },
    `POST ${AT}/worklog {"timeSpent":"3h 20m","started":"2026-03-01T09:00:00.000+0100","comment":${document('c')}}`,
  ],
  [
    'add_worklog',
    { ...issue, timeSpent: '1d', started: '2026-03-01T09:00:05.25Z' },
    `POST ${AT}/worklog {"timeSpent":"1d","started":"2026-03-01T09:00:05.250+0000"}`,
  ],
  [
    'add_worklog',
    { ...issue, timeSpent: '1d' },
    `POST ${AT}/worklog {"timeSpent":"1d","started":"2027-01-15T08:00:00.000+0000"}`,
  ],
  [
    'link_issues',
    { type: 'Blocks', inwardIssue: 'WEB-1', outwardIssue: 'WEB-2', comment: 'c' },
    `POST /rest/api/3/issueLink {"type":{"name":"Blocks"},"inwardIssue":{"key":"WEB-1"},"outwardIssue":{"key":"WEB-2"},"comment":{"body":${document('c')}}}`,
  ],
  [
    'list_projects',
    { query: 'we', startAt: 25 },
    'GET /rest/api/3/project/search?query=we&maxResults=25&startAt=25',
  ],
  ['get_project', { projectIdOrKey: 'A/B' }, 'GET /rest/api/3/project/A%2FB'],
  ['list_issue_types', {}, 'GET /rest/api/3/issuetype'],
  [
    'get_create_meta',
    { projectKeys: 'WEB,OPS', issuetypeNames: 'Bug', expand: 'projects.issuetypes.fields' },
    'GET /rest/api/3/issue/createmeta?projectKeys=WEB,OPS&issuetypeNames=Bug&expand=projects.issuetypes.fields',
  ],
  ['search_users', { query: 'ana' }, 'GET /rest/api/3/user/search?query=ana&maxResults=10'],
  ['list_fields', {}, 'GET /rest/api/3/field'],
  ['list_versions', { projectIdOrKey: 'WEB' }, 'GET /rest/api/3/project/WEB/versions'],
  ['get_attachment', { id: '10001' }, 'GET /rest/api/3/attachment/content/10001?redirect=false'],
  ['add_attachment', { ...issue, filename: 'a.txt', contentBase64: 'YWJj' }, `POST ${AT}/attachments`],
];

describe('jira', () => {
  for (const [name, args, requests, answers] of rows) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      expect(await sent(jira, `jira_${name}`, args, answers)).toEqual([requests].flat());
    });
  }

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `jira_${name}`));
    expect(names).toEqual(new Set(jira.tools.map(({ name }) => name)));
  });

  it('calls the site that was chosen when it was connected', () => {
    expect(resolveBase(jira, { cloudId: 'c-1' })).toEqual({
      ok: true,
      base: 'https://api.atlassian.com/ex/jira/c-1',
    });
    expect(resolveBase(jira, {})).toMatchObject({ ok: false, reason: expect.stringContaining('reconnect') });
  });

  it.each([
    ['jira_transition_issue', issue, [], /transitionId or a transitionName/],
    [
      'jira_transition_issue',
      { ...issue, transitionName: 'Reopen' },
      [transitions],
      /no transition "Reopen" .* it has: Start progress, Done, Archive/,
    ],
    ['jira_add_worklog', { ...issue, timeSpent: '1h', started: 'yesterday' }, [], /started/],
    ['jira_add_attachment', { ...issue, filename: 'a', contentBase64: '!' }, [], /contentBase64/],
    ['jira_get_issue', { issueIdOrKey: '..' }, [], /cannot be part of/],
  ])('refuses for %s the arguments %j', async (name, args, answers, message) => {
    await expect(sent(jira, name, args, answers)).rejects.toThrow(message);
  });

  it("shows only Jira's messages, although Jira sends one of two lists empty", async () => {
    const refusal = (body: object) => [Response.json(body, { status: 400 })];
    const get = (body: object) => sent(jira, 'jira_get_issue', issue, refusal(body));
    await expect(get({ errorMessages: ['Issue does not exist'], errors: {} })).rejects.toMatchObject({
      message: '400: ["Issue does not exist"]',
    });
    await expect(get({ errorMessages: [], errors: { summary: 'Required' } })).rejects.toMatchObject({
      message: '400: {"summary":"Required"}',
    });
  });
});

const text = (content: string, ...marks: string[]) => ({
  type: 'text',
  text: content,
  ...(marks.length === 0 ? {} : { marks: marks.map((type) => ({ type })) }),
});
const linked = (content: string, href: string) => ({
  type: 'text',
  text: content,
  marks: [{ type: 'link', attrs: { href } }],
});
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const item = (...content: object[]) => ({ type: 'listItem', content });

describe('Markdown as an Atlassian document', () => {
  it.each<[markdown: string, content: object[]]>([
    ['', []],
    ['ä\r\nb', [paragraph(text('ä'), { type: 'hardBreak' }, text('b'))]],
    ['a\n\nb', [paragraph(text('a')), paragraph(text('b'))]],
    ['## Head #', [{ type: 'heading', attrs: { level: 2 }, content: [text('Head')] }]],
    ['#1 is no heading', [paragraph(text('#1 is no heading'))]],
    ['```ts\na  <b\n\n```', [{ type: 'codeBlock', attrs: { language: 'ts' }, content: [text('a  <b\n')] }]],
    ['~~~\n```\n~~~', [{ type: 'codeBlock', content: [text('```')] }]],
    ['a\n***\nb', [paragraph(text('a')), { type: 'rule' }, paragraph(text('b'))]],
    ['> a\n> # b', [{ type: 'blockquote', content: [paragraph(text('a')), paragraph(text('b', 'strong'))] }]],
    [
      '- a\n  - b\n- c',
      [
        {
          type: 'bulletList',
          content: [
            item(paragraph(text('a')), { type: 'bulletList', content: [item(paragraph(text('b')))] }),
            item(paragraph(text('c'))),
          ],
        },
      ],
    ],
    [
      '3. a\n4. b',
      [
        {
          type: 'orderedList',
          attrs: { order: 3 },
          content: [item(paragraph(text('a'))), item(paragraph(text('b')))],
        },
      ],
    ],
    [
      '- - a',
      [
        {
          type: 'bulletList',
          content: [item(paragraph(), { type: 'bulletList', content: [item(paragraph(text('a')))] })],
        },
      ],
    ],
    [
      'T:\n| a | b |\n|---|---|\n| 1\\|2 |',
      [
        paragraph(text('T:')),
        {
          type: 'table',
          content: [
            {
              type: 'tableRow',
              content: ['a', 'b'].map((cell) => ({ type: 'tableHeader', content: [paragraph(text(cell))] })),
            },
            {
              type: 'tableRow',
              content: [
                { type: 'tableCell', content: [paragraph(text('1|2'))] },
                { type: 'tableCell', content: [paragraph()] },
              ],
            },
          ],
        },
      ],
    ],
  ])('%j', (markdown, content) => {
    expect(toAdf(markdown)).toEqual({ type: 'doc', version: 1, content });
  });

  it.each<[markdown: string, content: object[]]>([
    [
      '**a *b* c** ~~d~~',
      [text('a ', 'strong'), text('b', 'strong', 'em'), text(' c', 'strong'), text(' '), text('d', 'strike')],
    ],
    ['***a***', [text('a', 'strong', 'em')]],
    ['__a__ _b_', [text('a', 'strong'), text(' '), text('b', 'em')]],
    ['snake_case_name 2 * 3 * 4 **', [text('snake_case_name 2 * 3 * 4 **')]],
    ['\\*a\\*', [text('*a*')]],
    ['`a*b*` ``c`d``', [text('a*b*', 'code'), text(' '), text('c`d', 'code')]],
    // Only a link may be combined with code.
    ['**`a`**', [text('a', 'code')]],
    ['[a](https://x.example/b_(c) "t")', [linked('a', 'https://x.example/b_(c)')]],
    [
      'see https://x.example/a_b.',
      [text('see '), linked('https://x.example/a_b', 'https://x.example/a_b'), text('.')],
    ],
    ['<https://x.example>', [linked('https://x.example', 'https://x.example')]],
    ['[a](javascript:alert)', [text('[a](javascript:alert)')]],
    ['<b> [x] `', [text('<b> [x] `')]],
  ])('%j', (markdown, content) => {
    expect(toAdf(markdown).content).toEqual([paragraph(...content)]);
  });

  it('converts hostile texts in one pass', () => {
    for (const unit of [
      '*a ',
      '**',
      '_a',
      '`',
      '[',
      '![a](',
      '> ',
      '- ',
      '# ',
      '|',
      '<http://a',
      '~~',
      '\\',
      '[a]((((',
      '- \n',
      '> - ',
    ])
      expect(toAdf(unit.repeat(50_000)).type).toBe('doc');
  });

  it.each<[what: string, line: (run: (sign: string) => string) => string]>([
    ['a fence before a backtick', (run) => `${run('~')}\``],
    ['a language before a backtick', (run) => `~~~${run('a')}\``],
    ['a delimiter that is none', (run) => `a|b\n|${run('-')}x`],
    ['backticks that nothing closes', (run) => `x${run('````')}x`],
    ['code that begins with a space', (run) => `\` ${run('a')}\``],
    [
      'backticks of many lengths, none of them twice',
      () => Array.from({ length: 1_200 }, (_, length) => '`'.repeat(length + 1)).join(' '),
    ],
  ])('reads a long line once: %s', (_, line) => {
    expect(toAdf(line((sign) => sign.repeat(150_000))).content?.length).toBe(1);
  });

  it('stops filling up the rows of a wide table at a limit', () => {
    const [table, after] = toAdf(`${'a|'.repeat(1_000)}\n-|-\n${'|\n'.repeat(1_000)}`).content ?? [];
    expect(table?.content?.length).toBe(32);
    expect(after?.type).toBe('paragraph');
  });
});

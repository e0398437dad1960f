// Tests Confluence: tool, arguments → expected requests; and its storage format as Markdown.
import { describe, expect, it } from 'vitest';
import { confluence } from '../../integrations/confluence/manifest.ts';
import { toMarkdown } from '../../integrations/html/to-markdown.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { sent } from '../support/capture.ts';

const PAGES = '/wiki/api/v2/pages';
const adf = (text: string) => {
  const content = [{ type: 'paragraph', content: [{ type: 'text', text }] }];
  const value = JSON.stringify({ type: 'doc', version: 1, content });
  return JSON.stringify({ representation: 'atlas_doc_format', value });
};

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /wiki/rest/api/user/current'],
  [
    'search',
    { cql: 'text ~ "größe"', cursor: 'c' },
    'GET /wiki/rest/api/search?cql=text ~ "größe"&limit=20&cursor=c',
  ],
  // The path as the link of a real response has it.
  [
    'search',
    { cql: 'a', cursor: '_f_MQ%3D%3D_sa_WyJcdDk0NSJd%3D' },
    'GET /wiki/rest/api/search?cql=a&limit=20&cursor=_f_MQ==_sa_WyJcdDk0NSJd=',
  ],
  ['list_spaces', { cursor: 'eyJpZCI6IjEifQ==' }, 'GET /wiki/api/v2/spaces?limit=25&cursor=eyJpZCI6IjEifQ=='],
  [
    'list_spaces',
    { cursor: '/wiki/api/v2/spaces?limit=25&cursor=eyJpZCI6IjEifQ%3D%3D&sort=id' },
    'GET /wiki/api/v2/spaces?limit=25&cursor=eyJpZCI6IjEifQ==',
  ],
  ['list_spaces', { cursor: '100%' }, 'GET /wiki/api/v2/spaces?limit=25&cursor=100%'],
  ['list_spaces', { keys: 'A,B' }, 'GET /wiki/api/v2/spaces?keys=A,B&limit=25'],
  ['get_space', { id: '1' }, 'GET /wiki/api/v2/spaces/1'],
  [
    'list_pages',
    { spaceId: '1', title: 'Größe', sort: '-modified-date', bodyFormat: 'storage', cursor: 'c' },
    `GET ${PAGES}?space-id=1&title=Größe&limit=25&cursor=c&sort=-modified-date&body-format=storage`,
  ],
  ['get_page', { id: '7' }, `GET ${PAGES}/7?body-format=storage`],
  ['get_page', { id: '7', bodyFormat: 'atlas_doc_format' }, `GET ${PAGES}/7?body-format=atlas_doc_format`],
  [
    'create_page',
    { spaceId: '1', title: 'Größe', body: 'ü', parentId: '7', status: 'draft' },
    `POST ${PAGES} {"spaceId":"1","title":"Größe","body":${adf('ü')},"parentId":"7","status":"draft"}`,
  ],
  [
    'create_page',
    { spaceId: '1', title: 't', body: '<p>&uuml;</p>' },
    `POST ${PAGES} {"spaceId":"1","title":"t","body":{"representation":"storage","value":"<p>&uuml;</p>"}}`,
  ],
  [
    'update_page',
    { id: '7', title: 't', body: 'b', message: 'why' },
    [
      `GET ${PAGES}/7`,
      `PUT ${PAGES}/7 {"id":"7","title":"t","status":"current","body":${adf('b')},"version":{"number":5,"message":"why"}}`,
    ],
    [{ version: { number: 4 } }],
  ],
  [
    'update_page',
    { id: '7', title: 't', body: 'b', version: 2 },
    `PUT ${PAGES}/7 {"id":"7","title":"t","status":"current","body":${adf('b')},"version":{"number":3}}`,
  ],
  ['delete_page', { id: '7' }, `DELETE ${PAGES}/7`],
  ['list_page_children', { id: '7', cursor: 'c' }, `GET ${PAGES}/7/children?limit=25&cursor=c`],
  [
    'list_page_comments',
    { id: '7', bodyFormat: 'storage' },
    `GET ${PAGES}/7/footer-comments?limit=25&body-format=storage`,
  ],
  [
    'add_page_comment',
    { pageId: '7', body: 'ü' },
    `POST /wiki/api/v2/footer-comments {"pageId":"7","body":${adf('ü')}}`,
  ],
  [
    'add_page_comment',
    { pageId: '7', body: 'b', parentCommentId: '9' },
    `POST /wiki/api/v2/footer-comments {"parentCommentId":"9","body":${adf('b')}}`,
  ],
  ['list_attachments', { id: '7', limit: 5 }, `GET ${PAGES}/7/attachments?limit=5`],
  [
    'get_attachment',
    { id: 'att9' },
    ['GET /wiki/api/v2/attachments/att9', 'GET /wiki/rest/api/content/7/child/attachment/att9/download'],
    [{ id: 'att9', pageId: '7', title: 'a.txt', mediaType: 'text/plain' }, new Response('a')],
  ],
  ['list_labels', { id: '7', limit: 5, cursor: 'c' }, `GET ${PAGES}/7/labels?limit=5&cursor=c`],
];

describe('confluence', () => {
  for (const [name, args, requests, answers] of rows) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      expect(await sent(confluence, `confluence_${name}`, args, answers)).toEqual([requests].flat());
    });
  }

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `confluence_${name}`));
    expect(names).toEqual(new Set(confluence.tools.map(({ name }) => name)));
  });

  it('calls the site that was chosen when it was connected', () => {
    const base = 'https://api.atlassian.com/ex/confluence/c-1';
    expect(resolveBase(confluence, { cloudId: 'c-1' })).toEqual({ ok: true, base });
  });
});

describe('storage format as Markdown', () => {
  it.each([
    [
      '<h2>&Uuml;ber</h2><p>Gr&uuml;&szlig;e <strong>fett</strong> &amp; <em>x</em></p>',
      '## Über\n\nGrüße **fett** & *x*',
    ],
    ['<p>a<br />b</p><hr /><p><del>c</del> <code>d</code></p>', 'a\nb\n\n---\n\n~~c~~ `d`'],
    ['<p><a href="https://x?a=1&amp;b=2">L</a></p>', '[L](https://x?a=1&b=2)'],
    [
      '<ul><li><p>a</p><ul><li>b</li></ul></li><li>c</li></ul><ol><li>d</li><li>e</li></ol>',
      '- a\n  - b\n- c\n\n1. d\n2. e',
    ],
    ['<blockquote><p>q</p></blockquote><p>e</p>', '> q\n\ne'],
    [
      '<table><tbody><tr><th>A</th><th><p>B|C</p></th></tr><tr><td>1</td><td><p>x</p><p>y</p></td></tr></tbody></table>',
      '| A | B\\|C |\n| --- | --- |\n| 1 | x y |',
    ],
    [
      '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">js</ac:parameter><ac:plain-text-body><![CDATA[if (a > b) {\n\n  x  = "<p>";\n}]]></ac:plain-text-body></ac:structured-macro>',
      '```js\nif (a > b) {\n\n  x  = "<p>";\n}\n```',
    ],
    [
      '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[  a:\n    b]]></ac:plain-text-body></ac:structured-macro>',
      '```\n  a:\n    b\n```',
    ],
    [
      '<table><tr><td>A</td><td><table><tr><td>X</td></tr></table></td></tr><tr><td>C</td><td>D</td></tr></table>',
      '| A | \\| X \\| \\| --- \\| |\n| --- | --- |\n| C | D |',
    ],
    [
      '<ac:structured-macro ac:name="info"><ac:parameter ac:name="title">T</ac:parameter><ac:rich-text-body><p>Achtung</p></ac:rich-text-body></ac:structured-macro>',
      'Achtung',
    ],
    ['<p><ac:link><ri:page ri:content-title="Ziel" /></ac:link></p>', 'Ziel'],
    [
      '<p><ac:link><ri:page ri:content-title="Ziel" /><ac:plain-text-link-body><![CDATA[Text]]></ac:plain-text-link-body></ac:link></p>',
      'Text',
    ],
    ['<ac:image><ri:attachment ri:filename="b&#252;.png" /></ac:image>', '![](bü.png)'],
    [
      '<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>a</ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>b</ac:task-body></ac:task></ac:task-list>',
      '- [x] a\n- [ ] b',
    ],
    [
      '<p><time datetime="2026-03-01" /> <ac:emoticon ac:emoji-fallback="🙂" /></p><!-- c -->',
      '2026-03-01 🙂',
    ],
    ['plain & text', 'plain & text'],
    ['</td></li>a<', 'a'],
    ['<ac:link>never closed', 'never closed'],
    ['<![CDATA[x', 'x'],
  ])('%s', (storage, markdown) => {
    expect(toMarkdown(storage)).toBe(markdown);
  });

  it('converts hostile pages in one pass', () => {
    for (const unit of [
      '<td>a',
      '<ul><li>a',
      '<ac:link>a',
      '<blockquote>a<br/>',
      '<![CDATA[',
      '<p',
      '</td>',
      '&uuml;',
      '<x a="',
    ])
      expect(typeof toMarkdown(unit.repeat(50_000))).toBe('string');
  });
});

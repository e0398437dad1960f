// Tests Google Docs: the requests of every tool, Markdown in both directions, and changes at the right indices.
import { describe, expect, it } from 'vitest';
import { fromMarkdown } from '../../integrations/gdocs/from-markdown.ts';
import { gdocs } from '../../integrations/gdocs/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const d = { documentId: 'd1' };
const READ = 'GET /documents/d1?includeTabsContent=true&suggestionsViewMode=PREVIEW_WITHOUT_SUGGESTIONS';
const READ_INDICES = 'GET /documents/d1?includeTabsContent=true&suggestionsViewMode=SUGGESTIONS_INLINE';
const UPDATE = 'POST /documents/d1:batchUpdate';
const LISTED =
  'orderBy=modifiedTime desc&fields=nextPageToken,files(id,name,modifiedTime,webViewLink,owners(emailAddress))&includeItemsFromAllDrives=true&supportsAllDrives=true&pageSize=20';

interface Written {
  content: string;
  textStyle?: object;
}

/** A document of paragraphs, with the indices that Docs would give them. */
function makeDocument(
  paragraphs: readonly { runs: readonly (Written | object)[]; style?: string; more?: object }[],
  more: object = {},
) {
  let index = 1;
  const content: object[] = [{ startIndex: 0, endIndex: 1, sectionBreak: {} }];
  for (const { runs, style = 'NORMAL_TEXT', more: others = {} } of paragraphs) {
    const startIndex = index;
    const elements = runs.map((run_) => {
      const from = index;
      const written = 'content' in run_ ? run_.content : null;
      index += written?.length ?? 1;
      const at = { startIndex: from, endIndex: index };
      return written === null ? { ...at, ...run_ } : { ...at, textRun: { textStyle: {}, ...run_ } };
    });
    const paragraph = { elements, paragraphStyle: { namedStyleType: style }, ...others };
    content.push({ startIndex, endIndex: index, paragraph });
  }
  const documentTab = { body: { content }, ...more };
  return {
    documentId: 'd1',
    title: 'Plan',
    revisionId: 'r1',
    tabs: [{ tabProperties: { tabId: 't.0', title: 'Tab 1', index: 0 }, documentTab }],
  };
}

const line = (content: string, style?: string) => ({
  runs: [{ content: `${content}\n` }],
  ...(style === undefined ? {} : { style }),
});

// Indices: A is 1 to 3, "alt" 3 to 7, B 7 to 9, "neu" 9 to 13.
const SECTIONS = makeDocument([line('A', 'HEADING_1'), line('alt'), line('B', 'HEADING_1'), line('neu')]);
const RESET = '"fields":"namedStyleType,indentStart,indentFirstLine,shading,borderBottom"';
/** The requests that write one plain paragraph. */
const plain = (text: string, at: number, end: number) =>
  `{"insertText":{"location":{"index":${at}},"text":${JSON.stringify(text)}}},` +
  `{"deleteParagraphBullets":{"range":{"startIndex":${at},"endIndex":${end}}}},` +
  `{"updateParagraphStyle":{"range":{"startIndex":${at},"endIndex":${end}},"paragraphStyle":{"namedStyleType":"NORMAL_TEXT"},${RESET}}},` +
  `{"updateTextStyle":{"range":{"startIndex":${at},"endIndex":${end}},"textStyle":{},"fields":"*"}}`;
const GUARD = '"writeControl":{"targetRevisionId":"r1"}';
const newLine = (index: number) => `{"insertText":{"location":{"index":${index}},"text":"\\n"}}`;
const remove = (startIndex: number, endIndex: number) =>
  `{"deleteContentRange":{"range":{"startIndex":${startIndex},"endIndex":${endIndex}}}}`;

const ADDED = { documentId: 'd1', replies: [{ addDocumentTab: { tabProperties: { tabId: 't.9' } } }] };
const TABLE: [tool: string, args: object, requests: string[], answers?: object[]][] = [
  ['whoami', {}, ['GET /userinfo'], [{ sub: '7' }]],
  [
    'list_documents',
    { name: 'Plan' },
    [
      `GET /files?q=mimeType = 'application/vnd.google-apps.document' and trashed = false and name contains 'Plan'&${LISTED}`,
    ],
  ],
  ['get_document', d, [READ]],
  ['read_document', d, [READ]],
  [
    'create_document',
    { title: 'Größe', markdown: 'Hallo' },
    ['POST /documents {"title":"Größe"}', `${UPDATE} {"requests":[${plain('Hallo', 1, 6)}]}`],
    [d],
  ],
  ['create_document', { title: 'Leer' }, ['POST /documents {"title":"Leer"}'], [d]],
  [
    'append_markdown',
    { ...d, markdown: 'x' },
    [READ_INDICES, `${UPDATE} {"requests":[${newLine(12)},${plain('x', 13, 14)}],${GUARD}}`],
  ],
  [
    'insert_markdown',
    { ...d, heading: 'B', where: 'before', markdown: 'x' },
    [READ_INDICES, `${UPDATE} {"requests":[${plain('x\n', 7, 9)}],${GUARD}}`],
  ],
  [
    'insert_markdown',
    { ...d, heading: '# a', where: 'below', markdown: 'x' },
    [READ_INDICES, `${UPDATE} {"requests":[${plain('x\n', 3, 5)}],${GUARD}}`],
  ],
  [
    'insert_markdown',
    { ...d, heading: 'B', markdown: 'x' },
    [READ_INDICES, `${UPDATE} {"requests":[${newLine(12)},${plain('x', 13, 14)}],${GUARD}}`],
  ],
  [
    'replace_section',
    { ...d, heading: 'A', markdown: 'x' },
    [READ_INDICES, `${UPDATE} {"requests":[${remove(3, 7)},${plain('x\n', 3, 5)}],${GUARD}}`],
  ],
  [
    'replace_section',
    { ...d, heading: 'B', markdown: 'x' },
    [READ_INDICES, `${UPDATE} {"requests":[${remove(9, 12)},${plain('x', 9, 10)}],${GUARD}}`],
  ],
  [
    'delete_section',
    { ...d, heading: 'B' },
    [READ_INDICES, `${UPDATE} {"requests":[${remove(7, 12)}],${GUARD}}`],
  ],
  [
    'replace_document',
    { ...d, markdown: 'x' },
    [READ_INDICES, `${UPDATE} {"requests":[${remove(1, 12)},${plain('x', 1, 2)}],${GUARD}}`],
  ],
  [
    'add_tab',
    { ...d, title: 'Notizen', markdown: 'x', iconEmoji: '📌' },
    [
      `${UPDATE} {"requests":[{"addDocumentTab":{"tabProperties":{"title":"Notizen","iconEmoji":"📌"}}}]}`,
      `${UPDATE} {"requests":[${plain('x', 1, 2).replaceAll(/("index":1|"endIndex":2)/g, '$1,"tabId":"t.9"')}]}`,
    ],
    [ADDED],
  ],
  [
    'replace_text',
    { ...d, replacements: { '{{name}}': 'Ana' } },
    [
      `${UPDATE} {"requests":[{"replaceAllText":{"containsText":{"text":"{{name}}","matchCase":true},"replaceText":"Ana"}}]}`,
    ],
  ],
  [
    'format_text',
    { ...d, text: 'ne', bold: true, link: 'https://example.com', fontSize: 14 },
    [
      READ_INDICES,
      `${UPDATE} {"requests":[{"updateTextStyle":{"range":{"startIndex":9,"endIndex":11},"textStyle":{"bold":true,"link":{"url":"https://example.com"},"fontSize":{"magnitude":14,"unit":"PT"}},"fields":"bold,link,fontSize"}}],${GUARD}}`,
    ],
  ],
  [
    'format_text',
    { ...d, text: 'alt', paragraphStyle: 'HEADING_2' },
    [
      READ_INDICES,
      `${UPDATE} {"requests":[{"updateParagraphStyle":{"range":{"startIndex":3,"endIndex":6},"paragraphStyle":{"namedStyleType":"HEADING_2"},"fields":"namedStyleType"}}],${GUARD}}`,
    ],
  ],
  [
    'insert_image',
    { ...d, uri: 'https://example.com/a.png', width: 200 },
    [
      `${UPDATE} {"requests":[{"insertInlineImage":{"uri":"https://example.com/a.png","objectSize":{"width":{"magnitude":200,"unit":"PT"}},"endOfSegmentLocation":{}}}]}`,
    ],
  ],
  [
    'insert_image',
    { ...d, uri: 'https://example.com/a.png', heading: 'A' },
    [
      READ_INDICES,
      `${UPDATE} {"requests":[${newLine(2)},{"updateParagraphStyle":{"range":{"startIndex":3,"endIndex":4},"paragraphStyle":{"namedStyleType":"NORMAL_TEXT"},"fields":"namedStyleType"}},{"insertInlineImage":{"uri":"https://example.com/a.png","location":{"index":3}}}],${GUARD}}`,
    ],
  ],
  [
    'batch_update',
    { ...d, requests: [{ insertPageBreak: { location: { index: 3 } } }] },
    [`${UPDATE} {"requests":[{"insertPageBreak":{"location":{"index":3}}}]}`],
  ],
];

describe('the requests of Google Docs', () => {
  it.each(TABLE)('gdocs_%s %j', async (name, args, requests, answers) => {
    const own = answers ?? (requests[0]?.startsWith('GET /documents') ? [SECTIONS, d] : [d]);
    expect(await sent(gdocs, `gdocs_${name}`, args, [...own, d])).toEqual(requests);
  });

  it('names every tool', () => {
    expect(new Set(TABLE.map(([name]) => `gdocs_${name}`))).toEqual(
      new Set(gdocs.tools.map(({ name }) => name)),
    );
  });
});

const use = (tool: string, args: object, ...answers: object[]) => {
  const left = [...answers];
  return run(gdocs, `gdocs_${tool}`, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream: async () => {
      const answer = left.shift();
      return answer === undefined
        ? Response.json({ error: { message: 'Requested entity was not found.' } }, { status: 404 })
        : Response.json(answer);
    },
    fetch: () => Promise.reject(new Error('no address is fetched')),
  });
};

async function read(document: object): Promise<string> {
  const { tabs } = Object(await use('read_document', d, document));
  return tabs[0].markdown;
}

const mono = { weightedFontFamily: { fontFamily: 'Roboto Mono' } };
const item = (content: string, nestingLevel = 0, listId = 'l1') => ({
  ...line(content),
  more: { bullet: { listId, nestingLevel } },
});
const LISTS = {
  lists: {
    l1: { listProperties: { nestingLevels: [{ glyphSymbol: '●' }, { glyphType: 'ALPHA' }] } },
    l2: { listProperties: { nestingLevels: [{ glyphType: 'DECIMAL' }, { glyphSymbol: '○' }] } },
  },
};

describe('a document as Markdown', () => {
  it('keeps headings, styles, links and breaks', async () => {
    const document = makeDocument([
      line('Plan', 'TITLE'),
      { runs: [{ content: 'Ziel\n', textStyle: { bold: true } }], style: 'HEADING_2' },
      {
        runs: [
          { content: 'Das ist ' },
          { content: 'fett ', textStyle: { bold: true } },
          { content: 'und', textStyle: { bold: true, italic: true } },
          { content: ' ' },
          { content: 'weg', textStyle: { strikethrough: true } },
          { content: ', ' },
          { content: 'a*b', textStyle: mono },
          { content: ' 2*3\u000bneu ' },
          { content: 'hier', textStyle: { link: { url: 'https://example.com' } } },
          { content: '\n' },
        ],
      },
      line(''),
      line('# kein Titel'),
      line('1. keine Liste'),
    ]);
    expect(await read(document)).toBe(
      '# Plan\n\n## Ziel\n\nDas ist **fett** ***und*** ~~weg~~, `a*b` 2\\*3\nneu [hier](https://example.com)\n\n\\# kein Titel\n\n1\\. keine Liste',
    );
  });

  it('nests and numbers lists', async () => {
    const document = makeDocument(
      [
        item('eins'),
        item('a', 1),
        item('b', 1),
        item('zwei\u000bweiter'),
        item('a', 1),
        line('Text'),
        item('erstens', 0, 'l2'),
        item('Punkt', 1, 'l2'),
        item('zweitens', 0, 'l2'),
      ],
      LISTS,
    );
    expect(await read(document)).toBe(
      '- eins\n  1. a\n  2. b\n- zwei\n  weiter\n  1. a\n\nText\n\n1. erstens\n   - Punkt\n2. zweitens',
    );
  });

  it('keeps code, quotes, rules, pictures, footnotes, people and files', async () => {
    const quote = { paragraphStyle: { namedStyleType: 'NORMAL_TEXT', indentStart: { magnitude: 36 } } };
    const document = makeDocument(
      [
        { runs: [{ content: 'if (a) {\n', textStyle: mono }] },
        { runs: [{ content: '  b\u000b}', textStyle: mono }, { content: '\n' }] },
        { runs: [{ content: 'Zitat\n' }], more: quote },
        { runs: [{ horizontalRule: {} }, { content: '\n' }] },
        {
          runs: [
            { inlineObjectElement: { inlineObjectId: 'i1' } },
            { content: ' von ' },
            { person: { personProperties: { name: 'Ana', email: 'ana@example.com' } } },
            { footnoteReference: { footnoteId: 'f1', footnoteNumber: '1' } },
            { content: ' in ' },
            { richLink: { richLinkProperties: { title: 'Kosten', uri: 'https://docs.google.com/x' } } },
            { content: '\n' },
          ],
        },
      ],
      {
        inlineObjects: {
          i1: {
            inlineObjectProperties: {
              embeddedObject: { title: 'Skizze', imageProperties: { contentUri: 'https://lh.example/i' } },
            },
          },
        },
        footnotes: {
          f1: { content: [{ paragraph: { elements: [{ textRun: { content: 'Quelle\n' } }] } }] },
        },
      },
    );
    expect(await read(document)).toBe(
      [
        '```\nif (a) {\n  b\n}\n```',
        '> Zitat',
        '---',
        '![Skizze](https://lh.example/i) von [Ana](mailto:ana@example.com)[^1] in [Kosten](https://docs.google.com/x)',
        '[^1]: Quelle',
      ].join('\n\n'),
    );
  });

  it('keeps tables, and the tabs below tabs', async () => {
    const cell = (text: string) => ({
      content: [{ paragraph: { elements: [{ textRun: { content: `${text}\n` } }] } }],
    });
    const table = {
      tableRows: [{ tableCells: [cell('Name'), cell('a|b')] }, { tableCells: [cell('Ana'), cell('')] }],
    };
    const child = {
      tabProperties: { tabId: 't.2', title: 'Unter', parentTabId: 't.1' },
      documentTab: { body: { content: [{ startIndex: 1, endIndex: 9, table }] } },
    };
    const document = {
      documentId: 'd1',
      title: 'Plan',
      tabs: [{ tabProperties: { tabId: 't.1', title: 'Ober' }, childTabs: [child] }],
    };
    const markdown = '| Name | a\\|b |\n| --- | --- |\n| Ana |  |';
    expect(await use('read_document', d, document)).toEqual({
      documentId: 'd1',
      title: 'Plan',
      tabs: [
        { tabId: 't.1', title: 'Ober', markdown: '' },
        { tabId: 't.2', title: 'Unter', parentTabId: 't.1', markdown },
      ],
    });
    expect(await use('read_document', { ...d, tabId: 't.2' }, document)).toMatchObject({
      tabs: [{ tabId: 't.2', markdown }],
    });
    await expect(use('read_document', { ...d, tabId: 't.3' }, document)).rejects.toThrow('has no tab t.3');
  });

  it('has an outline', async () => {
    expect(await use('get_document', d, SECTIONS)).toEqual({
      documentId: 'd1',
      title: 'Plan',
      revisionId: 'r1',
      tabs: [
        {
          tabId: 't.0',
          title: 'Tab 1',
          headings: [
            { level: 1, text: 'A' },
            { level: 1, text: 'B' },
          ],
        },
      ],
    });
  });
});

/**
 * Applies requests to a text as Docs does with its indices, and notes which part of the text each of them is about. A table
 * begins with ▦, a row with ▤ and a cell with ▢.
 */
function apply(requests: readonly object[], text: string): { text: string; styled: string[] } {
  const styled: string[] = [];
  let now = text;
  const insert = (index: number, added: string) => {
    expect(index).toBeGreaterThanOrEqual(1);
    expect(index).toBeLessThan(now.length);
    now = now.slice(0, index) + added + now.slice(index);
  };
  for (const request of requests) {
    const [[kind, body] = ['', {}]] = Object.entries(request);
    const {
      location,
      range,
      text: added,
      rows,
      columns,
      textStyle,
      paragraphStyle,
      bulletPreset,
    } = Object(body);
    const part = range === undefined ? '' : now.slice(range.startIndex, range.endIndex);
    switch (kind) {
      case 'insertText':
        insert(location.index, added);
        break;
      case 'insertTable':
        insert(location.index, `\n▦${`▤${'▢\n'.repeat(columns)}`.repeat(rows)}`);
        break;
      case 'createParagraphBullets':
        styled.push(`${JSON.stringify(part)} ${bulletPreset}`);
        now = now.slice(0, range.startIndex) + part.replaceAll('\t', '') + now.slice(range.endIndex);
        break;
      case 'updateParagraphStyle':
        if (paragraphStyle.namedStyleType !== 'NORMAL_TEXT' || Object.keys(paragraphStyle).length > 1)
          styled.push(
            `${JSON.stringify(part)} ${String(paragraphStyle.namedStyleType)} ${Object.keys(paragraphStyle).slice(1).join()}`.trim(),
          );
        break;
      case 'updateTextStyle':
        if (Object.keys(textStyle).length > 0)
          styled.push(`${JSON.stringify(part)} ${Object.keys(textStyle).join()}`);
        break;
      case 'deleteParagraphBullets':
        break;
      default:
        throw new Error(`unknown request ${kind}`);
    }
    // Each range lies in the text.
    if (range !== undefined) expect(range.endIndex - range.startIndex).toBe(part.length);
  }
  return { text: now, styled };
}

const write = (markdown: string) =>
  apply(fromMarkdown(markdown, { at: 1, tabId: undefined, isEmpty: true }), '§\n');

describe('Markdown in a document', () => {
  it('becomes paragraphs in order, each with its own style', () => {
    const { text, styled } = write(
      '# Größe 😀\n\nDas ist **fett** und [hier](https://a.example) `c`.\nneu\n\n> Zitat',
    );
    expect(text).toBe('§Größe 😀\nDas ist fett und hier c.\u000bneu\nZitat\n');
    expect(styled).toEqual([
      '"Zitat" NORMAL_TEXT indentStart,indentFirstLine',
      '"fett" bold',
      '"hier" link',
      '"c" weightedFontFamily',
      '"Größe 😀\\n" HEADING_1',
    ]);
  });

  it('becomes lists whose levels are tabs, with everything of an item in one paragraph', () => {
    const { text, styled } = write('- eins\n  - **zwei**\n  - drei\n- vier\n\n  mehr\n\n1. a\n2. b');
    expect(text).toBe('§eins\nzwei\ndrei\nvier\u000bmehr\na\nb\n');
    expect(styled).toEqual([
      '"a\\nb" NUMBERED_DECIMAL_NESTED',
      '"zwei" bold',
      '"eins\\n\\tzwei\\n\\tdrei\\nvier\\u000bmehr\\n" BULLET_DISC_CIRCLE_SQUARE',
    ]);
  });

  it('becomes tables, whose cells are filled at their own indices', () => {
    const { text, styled } = write('Vor\n\n| Name | Zahl |\n|---|---|\n| *Ana* | |\n| Bo | 3 |\n\nNach');
    expect(text).toBe('§Vor\n\n▦▤▢Name\n▢Zahl\n▤▢Ana\n▢\n▤▢Bo\n▢3\nNach\n');
    expect(styled).toEqual(['"Ana" italic', '"Zahl" bold', '"Name" bold']);
  });

  it('becomes code and rules', () => {
    const { text, styled } = write('```js\nif (a)\n  b\n```\n\n---');
    expect(text).toBe('§if (a)\u000b  b\n\n\n');
    expect(styled).toEqual([
      '"\\n" NORMAL_TEXT borderBottom',
      '"if (a)\\u000b  b\\n" NORMAL_TEXT shading',
      '"if (a)\\u000b  b\\n" weightedFontFamily',
    ]);
  });

  it('loses the characters that Docs would drop, so that indices stay right', () => {
    const { text, styled } = write('a\u0001b\ue000 **c**');
    expect(text).toBe('§ab c\n');
    expect(styled).toEqual(['"c" bold']);
  });
});

describe('a change of a document', () => {
  it('goes below a heading that a table follows', async () => {
    const document = makeDocument([line('A', 'HEADING_1')]);
    const content = document.tabs[0]?.documentTab.body.content ?? [];
    content.push({ startIndex: 3, endIndex: 8, table: { tableRows: [] } });
    content.push({ startIndex: 8, endIndex: 9, paragraph: { elements: [] } });
    const args = { ...d, heading: 'A', where: 'below', markdown: 'x' };
    expect(await sent(gdocs, 'gdocs_insert_markdown', args, [document, d])).toEqual([
      READ_INDICES,
      `${UPDATE} {"requests":[${newLine(2)},${plain('x', 3, 4)}],${GUARD}}`,
    ]);
  });

  it('goes into the empty paragraph at the end of a document', async () => {
    const document = makeDocument([line('A'), line('')]);
    expect(await sent(gdocs, 'gdocs_append_markdown', { ...d, markdown: 'x' }, [document, d])).toEqual([
      READ_INDICES,
      `${UPDATE} {"requests":[${plain('x', 3, 4)}],${GUARD}}`,
    ]);
  });

  it('names the headings and the tabs when there is none of that name', async () => {
    const section = { ...d, heading: 'C', markdown: 'x' };
    await expect(use('replace_section', section, SECTIONS)).rejects.toThrow(
      'The document has no heading C. It has: A, B',
    );
    await expect(use('append_markdown', { ...d, markdown: 'x', tabId: 't.7' }, SECTIONS)).rejects.toThrow(
      'The document has no tab t.7. It has: t.0 (Tab 1)',
    );
  });

  it('says how often each text was replaced', async () => {
    const replies = [{ replaceAllText: { occurrencesChanged: 3 } }, { replaceAllText: {} }];
    const args = { ...d, replacements: { a: 'b', c: 'd' } };
    expect(await use('replace_text', args, { documentId: 'd1', replies })).toEqual({
      documentId: 'd1',
      replaced: [
        { text: 'a', count: 3 },
        { text: 'c', count: 0 },
      ],
    });
  });

  it('finds text around pictures and in the cells of tables', async () => {
    const document = makeDocument([
      { runs: [{ inlineObjectElement: { inlineObjectId: 'i' } }, { content: 'neu neu\n' }] },
    ]);
    const cell = {
      content: [
        {
          startIndex: 20,
          endIndex: 24,
          paragraph: { elements: [{ startIndex: 20, endIndex: 24, textRun: { content: 'neu\n' } }] },
        },
      ],
    };
    document.tabs[0]?.documentTab.body.content.push({
      startIndex: 17,
      endIndex: 25,
      table: { tableRows: [{ tableCells: [cell] }] },
    });
    const [, request = ''] = await sent(gdocs, 'gdocs_format_text', { ...d, text: 'neu', bold: true }, [
      document,
      d,
    ]);
    expect([...request.matchAll(/"startIndex":(\d+)/g)].map(([, index]) => index)).toEqual(['2', '6', '20']);
  });

  it('has to say what to format, and what is there', async () => {
    await expect(use('format_text', { ...d, text: 'alt' })).rejects.toThrow('Say what to format');
    await expect(use('format_text', { ...d, text: 'fehlt', bold: true }, SECTIONS)).rejects.toThrow(
      'The document does not contain fehlt',
    );
  });

  it("passes on Google's own errors", async () => {
    await expect(use('read_document', d)).rejects.toThrow(
      '404: {"message":"Requested entity was not found."}',
    );
  });
});

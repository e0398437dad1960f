// Tests the way from Markdown to HTML and back, for products whose rich text is HTML.
import { describe, expect, it } from 'vitest';
import { toMarkdown } from '../../integrations/html/to-markdown.ts';
import { toHtml } from '../../integrations/html/from-markdown.ts';

const BOTH: readonly (readonly [what: string, markdown: string, html: string])[] = [
  ['paragraphs', 'one\n\ntwo', '<p>one</p><p>two</p>'],
  ['a heading', '## Größe', '<h2>Größe</h2>'],
  ['marks', 'a **b** *c* ~~d~~ `e`', '<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>'],
  ['a link', '[docs](https://a.example/?b=1)', '<p><a href="https://a.example/?b=1">docs</a></p>'],
  ['a list', '- one\n- two\n  - three', '<ul><li>one</li><li>two<ul><li>three</li></ul></li></ul>'],
  ['a numbered list', '1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
  ['a quote', '> said', '<blockquote><p>said</p></blockquote>'],
  ['a rule', 'a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
  ['code', '```\nif (a < b) {\n  c();\n}\n```', '<pre><code>if (a &lt; b) {\n  c();\n}</code></pre>'],
  [
    'a table',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
    '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
  ],
];

describe('Markdown', () => {
  it.each(BOTH)('with %s becomes HTML', (_, markdown, html) => {
    expect(toHtml(markdown)).toBe(html);
  });

  it('keeps line breaks, and the first number of a list', () => {
    expect(toHtml('one\ntwo')).toBe('<p>one<br>two</p>');
    expect(toHtml('3. one')).toBe('<ol start="3"><li>one</li></ol>');
  });

  it('cannot carry markup or scripts into the HTML', () => {
    expect(toHtml('<script>alert("1")</script> & more')).toBe(
      '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more</p>',
    );
    expect(toHtml('[a](javascript:alert(1))')).not.toContain('href');
    expect(toHtml('[a](https://a.example/"onclick=x)')).not.toContain('"onclick');
  });
});

describe('HTML', () => {
  it.each(BOTH)('with %s becomes Markdown', (_, markdown, html) => {
    expect(toMarkdown(html)).toBe(markdown);
  });

  it('keeps the lines of code, in whatever tags they are, and also without an end', () => {
    expect(toMarkdown('<pre class="x">\n  a<br>b <span>&amp;</span>\n</pre>then')).toBe(
      '```\n  a\nb &\n```\n\nthen',
    );
    expect(toMarkdown('<pre>a\n b')).toBe('```\na\n b\n```');
  });

  it('shows pictures by their address', () => {
    expect(toMarkdown('<p><img alt="a" src="https://a.example/b.png"></p>')).toBe(
      '![a](https://a.example/b.png)',
    );
  });
});

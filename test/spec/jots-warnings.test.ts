// Checks what a deploy warns about: what readers of the page would find broken. reference: Jot tools; decision: 048
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(() => app.close());

const html = (inner: string) => `<!doctype html><head>${inner}</head><h1>x</h1>`;
const FILES = { 'style.css': 'x', 'js/app.js': 'x', 'js/lib.js': 'x', 'about.html': 'x', 'img/a.png': 'x' };
const LOCKED = { name: 'locked', access: 'password', password: 'p' };

/** Publishes the tags in index.html beside some files. */
const warned = async (inner: string, settings: object = {}, files: Record<string, string> = {}) =>
  (await publish(app, ana, 'warned', { ...FILES, 'index.html': html(inner), ...files }, settings)).warnings;

describe('The warning about files that browsers will not load', () => {
  it.each([
    ['<link rel=stylesheet href="style.css">', 'style.css'],
    ["<script type=module src='./js/app.js?v=2'></script>", 'js/app.js'],
    ['<style>@import url(style.css)</style>', 'style.css'],
    ['<style>@import "style.css"</style>', 'style.css'],
    ['<script type=module>import "./js/app.js"</script>', 'js/app.js'],
    ['<img src=/j/warned/img/a.png>', 'img/a.png'],
    ['<script>fetch("style.css")</script>', 'style.css'],
  ])('appears without cors for %s', async (inner, path) => {
    const [warning, ...others] = await warned(inner, { cors: false });
    expect(warning).toMatch(`(${path}). Set cors to true`);
    expect(others).toEqual([]);
  });

  it('advises one self-contained file for a locked jot, also with cors', async () => {
    const [warning] = await warned('<link rel=stylesheet href="style.css">', { cors: true, ...LOCKED });
    expect(warning).toMatch(/one self-contained file.*cors does nothing.*Put everything into index\.html/);
  });

  it('does not appear for a public jot of several files, nor for a locked one that loads nothing', async () => {
    expect(await warned('<link rel=stylesheet href="style.css">')).toEqual([]);
    expect(await warned('<a href="about.html">about</a><style>h1 { color: red }</style>', LOCKED)).toEqual(
      [],
    );
  });

  it('does not appear where jots have an origin of their own', async () => {
    const other = await createTestApp({ env: { JOTS_ORIGIN: 'http://127.0.0.1:3000' } });
    const index = html('<link rel=stylesheet href="style.css"><script>localStorage.x</script>');
    const files = { 'style.css': 'x', 'index.html': index };
    expect(await publish(other, await other.user(), 'own', files, { ...LOCKED, name: 'own' })).toMatchObject({
      url: 'http://127.0.0.1:3000/j/own/',
      warnings: [],
    });
    await other.close();
  });
});

describe('The warning about addresses', () => {
  it.each([
    ['<link rel=stylesheet href="/style.css">', '/style.css'],
    ['<img src="../other/a.png">', '../other/a.png'],
    ['<base href="/"><script src="js/app.js"></script>', 'js/app.js'],
    ['<script>fetch("/api/items")</script>', '/api/items'],
    ['<img src="/j/another/a.png">', '/j/another/a.png'],
  ])('says that %s leads out of the jot', async (inner, address) => {
    expect(await warned(inner)).toEqual([
      expect.stringContaining(`lead out of the jot (${address}). The jot is at /j/warned/`),
    ]);
  });

  it.each([
    ['<link rel=stylesheet href="styles.css">', {}, 'styles.css'],
    ['', { 'style.css': '@font-face { src: url("fonts/a.woff2") }' }, 'fonts/a.woff2'],
    ['', { 'js/app.js': 'import { x } from "./utils.js"' }, 'js/utils.js'],
    ['', { 'js/app.js': 'fetch("data.json")' }, 'data.json'],
    ['', { 'sub/page.html': '<img src="a.png">' }, 'sub/a.png'],
  ])('says that the file of %s %j is missing', async (inner, files, path) => {
    expect(await warned(inner, {}, files)).toEqual([expect.stringContaining(`(${path})`)]);
  });

  it.each([
    '<script src="https://cdn.example.com/style.css"></script><img src="//cdn.example.com/a.png">',
    '<img src="data:image/png;base64,AAAA"><svg><use href="#shape"/></svg>',
    '<link rel="canonical" href="/elsewhere"><link rel=preconnect href=/x>',
    '<a href="/elsewhere">elsewhere</a>',
    '<script>const row = `<img src="${address}">`; const image = "<img src=\'" + url(address) + "\'>";</script>',
    '<script type=module>import React from "react"</script>',
    '<!-- <img src="removed.png"> -->',
    '<script>if (a <b) text = "</style><img src=gone.png>"</script>',
    '<p>Quoted from "somebody" at url (here)</p>',
    `<img src="${'x'.repeat(300)}">`,
  ])('does not appear for %j', async (inner) => {
    expect(await warned(inner)).toEqual([]);
  });

  it('names five files at most', async () => {
    const images = Array.from({ length: 7 }, (_, n) => `<img src="${n}.png">`).join('');
    expect(await warned(images)).toEqual([expect.stringContaining('(0.png, 1.png, 2.png, 3.png, 4.png, …)')]);
  });
});

describe('The warning about the sandbox', () => {
  it.each([
    ['<script>localStorage.setItem("a", "b")</script>', 'index.html: localStorage'],
    ['<script>new Worker("js/app.js")</script>', 'index.html: the sandbox loads no worker'],
    ['<iframe src="about.html"></iframe>', 'index.html: browsers show no page of a jot in an iframe'],
    ['<a target="_blank" href="https://x.example">x</a>', 'index.html: the sandbox opens no new windows'],
    ['<script>if (confirm("Sure?")) go()</script>', 'index.html: the sandbox shows no alert'],
  ])('appears for %s', async (inner, text) => {
    expect(await warned(inner)).toEqual([expect.stringContaining(text)]);
  });

  it('names the script that uses storage', async () => {
    const [warning] = await warned('', {}, { 'js/app.js': 'const saved = sessionStorage.getItem("a")' });
    expect(warning).toMatch(/^js\/app\.js: localStorage, .* Keep state in memory/);
  });

  it.each([
    '<p>localStorage and alert("x") explained</p>',
    '<script>dialog.alert("x"); showPrompt()</script>',
  ])('does not appear for %s', async (inner) => {
    expect(await warned(inner)).toEqual([]);
  });
});

describe('A hostile page', () => {
  // A pattern that backtracks over one of these takes longer than the time limit of a test.
  it.each([
    ['spaces after an import', `<script>import${' '.repeat(400_000)}`],
    ['spaces after a url', `<style>url(${' '.repeat(400_000)}`],
    ['unclosed tags', '<script '.repeat(50_000)],
    ['unclosed scripts', '<script>'.repeat(50_000)],
    ['unclosed comments', '<!--'.repeat(100_000)],
    ['unclosed addresses', 'url('.repeat(100_000)],
    ['unclosed links', `<a ${'target '.repeat(60_000)}`],
    ['a tag of spaces', `<img${' '.repeat(400_000)}`],
  ])('with %s takes linear time', async (_, hostile) => {
    const roomy = await createTestApp();
    const index = `<link rel=stylesheet href="style.css">${hostile}`;
    const files = { 'style.css': 'x', 'index.html': index };
    const { warnings } = await publish(roomy, await roomy.user(), 'hostile', files, { cors: false });
    expect(warnings).toHaveLength(1);
    await roomy.close();
  });

  it('of more pages and bytes than are looked at is published all the same', async () => {
    const big = 'x'.repeat(1024 * 1024);
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`${n}.html`, '<img src="gone.png">']),
    );
    const { files, warnings } = await publish(app, ana, 'many', { ...many, 'big.js': big });
    expect([files, warnings]).toEqual([32, [expect.stringContaining('(gone.png)')]]);
  });
});

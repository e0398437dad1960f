// Tests a generated list of abuses: none may be registered, and only registered addresses may be used.
// decision: 020
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRegistered } from '../../src/oauth/redirect-uris.ts';
import { register } from '../support/oauth-client.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  const SECRET = '0123456789abcdef'.repeat(4);
  app = await createTestApp({
    env: { SERVER_PUBLIC_URL: 'https://gate.example', SESSION_SECRET: SECRET, ENCRYPTION_KEY: SECRET },
  });
});
afterAll(() => app.close());

/** Whether the address is accepted or refused with a sentence; anything else is neither. */
async function accepted(uri: string): Promise<boolean> {
  const { status } = await register(app, { redirect_uris: [uri] });
  expect([uri, [201, 400].includes(status)]).toEqual([uri, true]);
  return status === 201;
}

const SCHEMES = (
  'javascript data file blob vbscript about filesystem view-source ws wss ftp mailto tel sms urn jar intent content ' +
  'resource chrome chrome-extension moz-extension livescript mocha mhtml search-ms ms-msdt ms-settings ssh ldap gopher telnet'
).split(' ');
const BODIES = [
  'alert(1)',
  '//client.example/cb',
  '///etc/passwd',
  '/cb',
  'text/html,<script>alert(1)</script>',
  '',
];
const CASES = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => ` ${text}`,
  (text: string) => `\t${text}`,
];

const controls = Array.from({ length: 33 }, (_, code) => String.fromCharCode(code));
const CHARACTERS = [
  ...controls,
  '\u007f',
  '\u0080',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\\',
  '"',
  '<',
  '>',
  '^',
  '`',
  '{',
  '|',
  '}',
  'ä',
  '。',
  '／',
  '＠',
];
const PLACES = [
  (character: string) => `https://client.example/${character}cb`,
  (character: string) => `https://client${character}.example/cb`,
  (character: string) => `https://client.example/cb${character}`,
  (character: string) => `cursor://app/${character}`,
];

const ABUSES: string[] = [
  ...SCHEMES.flatMap((scheme) =>
    BODIES.flatMap((body) => CASES.map((change) => change(`${scheme}:${body}`))),
  ),
  ...CHARACTERS.flatMap((character) => PLACES.map((place) => place(character))),
  ...controls
    .map((character) => `https://client.example/%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .filter((uri) => !uri.endsWith('%20')),
  // Fragments
  ...['#', '#x', '/#', '/cb#access_token=', '/cb?x#y'].map((tail) => `https://client.example${tail}`),
  'cursor://app/cb#',
  'com.example.app:/cb#x',
  // Users
  ...[
    'user@',
    'user:pass@',
    '@',
    ':@',
    'client.example@',
    'client.example%40',
    'client.example%2f@',
    'a@b@',
  ].map((user) => `https://${user}evil.example/cb`),
  'cursor://user@app/cb',
  'cursor://user:pass@app',
  'cursor:/user@app/cb',
  // Hosts that parsers read in two ways
  'https:client.example/cb',
  'https:/client.example/cb',
  'https:///client.example/cb',
  'https:\\\\client.example/cb',
  'https://client.example\\@evil.example/cb',
  'https://client.example\\.evil.example/cb',
  'https:\\/\\/client.example',
  '//client.example/cb',
  '///client.example/cb',
  '/cb',
  'cb',
  '',
  'https',
  'https:',
  'https://',
  'https:///',
  'https://?x',
  'https://#x',
  'https://:443/cb',
  'https://client.example:/cb',
  'https://client.example:x/cb',
  'https://client.example:99999/cb',
  'https://client.example:443:443/cb',
  'https://*.example/cb',
  'https://*/cb',
  'https://client.*/cb',
  'https://cli%65nt.example/cb',
  'https://client%2eexample/cb',
  'https://.example/cb',
  'https://-.example./cb',
  'https://client.example,evil.example/cb',
  'https://client.example;evil.example/cb',
  'https://client.example&evil.example/cb',
  'https://client.example$evil.example/cb',
  'https://[::1/cb',
  'https://[client.example]/cb',
  'https://[::ffff:1.2.3.4%25eth0]/cb',
  // Numbers that parsers read as addresses
  ...[
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '127.1',
    '0',
    '127.0.0.01',
    '0177.0.0.1',
    '1',
  ].flatMap((host) => [`http://${host}/cb`, `https://${host}/cb`]),
  // http to any other host
  ...[
    'client.example',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost.',
    'notlocalhost',
    '128.0.0.1',
  ].map((host) => `http://${host}/cb`),
  // Broken escapes, opaque schemes, and text that is no scheme
  'https://client.example/%',
  'https://client.example/%zz',
  'https://client.example/%2',
  ...['%00', '%0A', '%0d', '%1F', '%7F', '%7f'].map((escape) => `https://client.example/${escape}`),
  'HTTP://client.example/cb',
  'Http://10.0.0.1/cb',
  'HTTPS://user@client.example/cb',
  'cursor://host:99999/cb',
  'cursor://[x/cb',
  'cursor:cb',
  'cursor:cb/x',
  'cursor:',
  'cursor:?x',
  'cursor://',
  'cursor:///',
  'app:javascript:alert(1)',
  '1app:/cb',
  '-app:/cb',
  'a pp:/cb',
  'a_pp:/cb',
  `https://client.example/${'x'.repeat(2_048)}`,
];

describe('the registration of redirect URIs', () => {
  it('refuses each of several hundred abuses', async () => {
    expect(new Set(ABUSES).size).toBeGreaterThan(900);
    const wrong: string[] = [];
    for (const uri of ABUSES) if (await accepted(uri)) wrong.push(uri);
    expect(wrong).toEqual([]);
  });

  it.each([
    'https://client.example',
    'https://client.example/',
    'https://client.example/cb?x=1&y=%20z',
    'https://Client.Example:8443/cb',
    'https://claude.ai/api/mcp/auth_callback',
    'https://xn--bcher-kva.example/cb',
    'https://1.2.3.4/cb',
    'https://[2001:db8::1]/cb',
    'http://localhost/cb',
    'http://localhost:1234/oauth/callback',
    'http://127.0.0.1:33418',
    'http://127.0.0.1:33418/',
    'http://[::1]:1/cb',
    'cursor://anysphere.cursor-retrieval/oauth/user-abc/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.app:/oauth',
    'com.example.app:/',
    'web+app://host/cb?x=%2F',
  ])('accepts %s', async (uri) => {
    expect(await accepted(uri)).toBe(true);
  });

  it('accepts 2,048 characters, and not one more', async () => {
    const longest = 'https://client.example/'.padEnd(2_048, 'x');
    expect([await accepted(longest), await accepted(`${longest}x`)]).toEqual([true, false]);
  });

  it('accepts http to another host only on a gateway whose own base is http', async () => {
    const local = await createTestApp();
    const uri = 'http://client.example/cb';
    expect((await register(local, { redirect_uris: [uri] })).status).toBe(201);
    expect(await accepted(uri)).toBe(false);
    await local.close();
  });
});

describe('the matching of redirect URIs', () => {
  it.each([
    ['https://client.example/cb', 'https://client.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65535/cb'],
    ['http://localhost/cb?x=1', 'http://localhost:8080/cb?x=1'],
    ['http://[::1]/', 'http://[::1]:8080/'],
    ['http://localhost', 'http://localhost:8080'],
  ])('matches %s with %s', (registered, requested) => {
    expect(isRegistered(requested, [registered])).toBe(true);
  });

  it('matches one of several', () => {
    const registered = ['https://client.example/cb', 'http://127.0.0.1/cb', 'cursor://app/cb'];
    expect(isRegistered('http://127.0.0.1:5/cb', registered)).toBe(true);
  });

  it.each([
    ['https://client.example/cb', 'https://client.example/cb/'],
    ['https://client.example/cb', 'https://client.example/CB'],
    ['https://client.example/cb', 'https://client.example/cb?x'],
    ['https://client.example/cb', 'https://client.example:443/cb'],
    ['https://client.example/cb', 'https://client.example:8443/cb'],
    ['https://client.example', 'https://client.example/'],
    ['https://client.example/cb', ''],
    ['https://localhost/cb', 'https://localhost:8443/cb'],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
    ['http://127.0.0.1/cb', 'http://localhost:2/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:2/other'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:2/xy'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:2/x/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:2@evil.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:0/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:01/cb'],
    ['http://127.0.0.1', 'http://127.0.0.1:1/'],
    ['http://127.0.0.1', 'http://127.0.0.1.evil.example'],
    ['http://127.0.0.1', 'http://127.0.0.1:1.evil.example'],
    ['http://client.example/cb', 'http://client.example:81/cb'],
    ['cursor://app/cb', 'cursor://app:1/cb'],
  ])('does not match %s with %s', (registered, requested) => {
    expect(isRegistered(requested, [registered])).toBe(false);
  });
});

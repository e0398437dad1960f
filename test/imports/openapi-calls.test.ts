// Looks at the requests that calls of OpenAPI operations become, and at what their answers become.
import { describe, expect, it } from 'vitest';
import { callOperation } from '../../src/imports/openapi/call-operation.ts';
import type {
  OperationBody,
  OperationParameter,
  OperationRecipe,
  Style,
} from '../../src/imports/openapi/operation.ts';
import { UpstreamError } from '../../src/kit/payload.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const BASE = 'https://api.example.com/v1';

function recipeOf(part: Partial<OperationRecipe>): OperationRecipe {
  return { method: 'GET', path: '/things', parameters: [], accepts: ['application/json'], ...part };
}

function parameter(part: Partial<OperationParameter> & Pick<OperationParameter, 'in'>): OperationParameter {
  const style = part.in === 'path' || part.in === 'header' ? 'simple' : 'form';
  return { argument: 'color', name: 'color', style, explode: false, ...part };
}

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

const files = createMemoryFiles();

async function call(
  recipe: Partial<OperationRecipe>,
  args: Record<string, unknown>,
  answer: () => Response = () => Response.json({ ok: true }),
): Promise<{ sent: Sent; result: unknown }> {
  const requests: Sent[] = [];
  const result = await callOperation(recipeOf(recipe), args, {
    base: BASE,
    files,
    async send(url, { method, headers, body = null }) {
      requests.push({ url: url.href, method, headers, body: await new Response(body).text() });
      return answer();
    },
  });
  const [sent] = requests;
  if (sent === undefined || requests.length !== 1) throw new Error(`${requests.length} requests were sent`);
  return { sent, result };
}

const sent = async (recipe: Partial<OperationRecipe>, args: Record<string, unknown>): Promise<Sent> =>
  (await call(recipe, args)).sent;

const LIST = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

/** The table of OpenAPI 3.1.1 §4.8.12.6. */
const STYLES: [place: 'path' | 'query', style: Style, explode: boolean, value: unknown, written: string][] = [
  ['path', 'simple', false, 'blue', 'blue'],
  ['path', 'simple', false, LIST, 'blue,black,brown'],
  ['path', 'simple', false, OBJECT, 'R,100,G,200,B,150'],
  ['path', 'simple', true, LIST, 'blue,black,brown'],
  ['path', 'simple', true, OBJECT, 'R=100,G=200,B=150'],
  ['path', 'label', false, 'blue', '.blue'],
  ['path', 'label', false, LIST, '.blue,black,brown'],
  ['path', 'label', false, OBJECT, '.R,100,G,200,B,150'],
  ['path', 'label', true, LIST, '.blue.black.brown'],
  ['path', 'label', true, OBJECT, '.R=100.G=200.B=150'],
  ['path', 'matrix', false, '', ';color'],
  ['path', 'matrix', false, 'blue', ';color=blue'],
  ['path', 'matrix', false, LIST, ';color=blue,black,brown'],
  ['path', 'matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
  ['path', 'matrix', true, 'blue', ';color=blue'],
  ['path', 'matrix', true, LIST, ';color=blue;color=black;color=brown'],
  ['path', 'matrix', true, OBJECT, ';R=100;G=200;B=150'],
  ['query', 'form', false, '', 'color='],
  ['query', 'form', false, 'blue', 'color=blue'],
  ['query', 'form', false, LIST, 'color=blue,black,brown'],
  ['query', 'form', false, OBJECT, 'color=R,100,G,200,B,150'],
  ['query', 'form', true, 'blue', 'color=blue'],
  ['query', 'form', true, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'form', true, OBJECT, 'R=100&G=200&B=150'],
  ['query', 'spaceDelimited', false, LIST, 'color=blue%20black%20brown'],
  ['query', 'spaceDelimited', false, OBJECT, 'color=R%20100%20G%20200%20B%20150'],
  ['query', 'spaceDelimited', true, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'pipeDelimited', false, LIST, 'color=blue%7Cblack%7Cbrown'],
  ['query', 'pipeDelimited', false, OBJECT, 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query', 'tabDelimited', false, LIST, 'color=blue%09black%09brown'],
  ['query', 'deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  [
    'query',
    'deepObject',
    true,
    { a: { b: 'c' }, d: ['e', 'f'], g: [{ h: 1 }] },
    'color%5Ba%5D%5Bb%5D=c&color%5Bd%5D%5B%5D=e&color%5Bd%5D%5B%5D=f&color%5Bg%5D%5B0%5D%5Bh%5D=1',
  ],
];

describe('a parameter', () => {
  it.each(STYLES)(
    'in the %s with style %s, exploded %s, writes %j as %s',
    async (place, style, explode, value, written) => {
      const path = place === 'path' ? '/things/{color}' : '/things';
      const { url } = await sent(
        { path, parameters: [parameter({ in: place, style, explode })] },
        { color: value },
      );
      expect(url).toBe(place === 'path' ? `${BASE}/things/${written}` : `${BASE}/things?${written}`);
    },
  );

  it('keeps every character of its value', async () => {
    const value = 'a b&c=d+e#f?g/h%2Fi,j;k"l\'ü€😀[]{}|\\^`~!*()';
    const { url } = await sent({ parameters: [parameter({ in: 'query' })] }, { color: value });
    expect([...new URL(url).searchParams]).toEqual([['color', value]]);
  });

  it('keeps reserved characters with allowReserved, but none that would end its value', async () => {
    const reserved = parameter({ in: 'query', allowReserved: true });
    const { url } = await sent({ parameters: [reserved] }, { color: "a/b?c:d@e!$'()*,;=f&g#h+i[j]%20" });
    expect(url).toBe(`${BASE}/things?color=a/b?c:d@e!$%27()*,;=f%26g%23h%2Bi%5Bj%5D%2520`);
  });

  it('is left out when it is not given, null or an empty list', async () => {
    const parameters = ['a', 'b', 'c', 'd'].map((name) => parameter({ in: 'query', name, argument: name }));
    const { url } = await sent({ parameters }, { b: null, c: [], d: {} });
    expect(url).toBe(`${BASE}/things`);
  });

  it('in a header is not encoded', async () => {
    const parameters = [
      parameter({ in: 'header', name: 'X-List', argument: 'list' }),
      parameter({ in: 'header', name: 'X-Object', argument: 'object', explode: true }),
      parameter({ in: 'header', name: 'X-Json', argument: 'json', contentType: 'application/json' }),
    ];
    const { headers } = await sent({ parameters }, { list: ['a b', 'c'], object: OBJECT, json: { ü: '€' } });
    expect(headers).toMatchObject({
      'X-List': 'a b,c',
      'X-Object': 'R=100,G=200,B=150',
      'X-Json': String.raw`{"\u00fc":"\u20ac"}`,
    });
  });

  it('in a cookie is encoded, and several make one header', async () => {
    const parameters = [
      parameter({ in: 'cookie', name: 'session', argument: 'session' }),
      parameter({ in: 'cookie', name: 'ids', argument: 'ids' }),
    ];
    const { headers } = await sent({ parameters }, { session: 'a;b=c d', ids: [1, 2] });
    expect(headers['cookie']).toBe('session=a%3Bb%3Dc%20d; ids=1,2');
  });

  it('with a media type is written in it', async () => {
    const parameters = [parameter({ in: 'query', contentType: 'application/json' })];
    const { url } = await sent({ parameters }, { color: { a: ['b'] } });
    expect(new URL(url).searchParams.get('color')).toBe('{"a":["b"]}');
  });

  it('of the path keeps the slashes of its value in one segment', async () => {
    const { url } = await sent(
      { path: '/things/{color}/parts', parameters: [parameter({ in: 'path' })] },
      { color: 'group/project' },
    );
    expect(url).toBe(`${BASE}/things/group%2Fproject/parts`);
  });

  it.each(['', '.', '..', '../admin', 'a/../../b', '..\\admin', 'a\u0000b', 'a\r\nb', '..;/x'])(
    'of the path cannot leave its segment with %j',
    async (color) => {
      const recipe = { path: '/things/{color}', parameters: [parameter({ in: 'path' })] };
      await expect(sent(recipe, { color })).rejects.toThrow(/cannot be|outside of the service/);
    },
  );

  it('of the path cannot leave its segment together with its neighbour', async () => {
    const parameters = ['a', 'b'].map((name) =>
      parameter({ in: 'path', name, argument: name, style: 'label' }),
    );
    await expect(sent({ path: '/things/{a}{b}', parameters }, { a: '', b: '' })).rejects.toThrow();
    const simple = ['a', 'b'].map((name) => parameter({ in: 'path', name, argument: name }));
    await expect(sent({ path: '/x{a}/{b}', parameters: simple }, { a: '/..', b: 'c' })).rejects.toThrow();
  });

  it('cannot end its header or set one of the gateway', async () => {
    const named = (name: string) => ({ parameters: [parameter({ in: 'header', name })] });
    await expect(sent(named('X-A'), { color: 'a\r\nX-B: c' })).rejects.toThrow('takes ASCII characters');
    await expect(sent(named('X-A'), { color: 'ü' })).rejects.toThrow('takes ASCII characters');
    for (const name of [
      'Authorization',
      'host',
      'Cookie',
      'Content-Length',
      'Proxy-Authorization',
      'Bad Name',
    ])
      await expect(sent(named(name), { color: 'a' })).rejects.toThrow('The gateway sets the header');
  });

  it('cannot name another request, also where a stored tool has such an argument', async () => {
    for (const name of ['X-HTTP-Method-Override', 'x_original_url', 'X-Forwarded-Host', 'X-Real-IP']) {
      const recipe = { parameters: [parameter({ in: 'header', name })] };
      await expect(sent(recipe, { color: 'DELETE' })).rejects.toThrow('may name another request');
      expect((await sent(recipe, {})).headers).not.toHaveProperty(name);
    }
  });
});

describe('the address', () => {
  it('is that of the operation when it has its own', async () => {
    const { url } = await sent({ base: 'https://api.example.com/v2' }, {});
    expect(url).toBe('https://api.example.com/v2/things');
  });

  it('never has another origin', async () => {
    await expect(sent({ base: 'https://evil.example.net' }, {})).rejects.toThrow('outside of the service');
  });

  it('encodes what the path of the description leaves as it is', async () => {
    const { url } = await sent({ path: '/über uns/100%/a%20b' }, {});
    expect(url).toBe(`${BASE}/%C3%BCber%20uns/100%25/a%20b`);
  });
});

function bodyOf(part: Partial<OperationBody>): Partial<OperationRecipe> {
  return {
    method: 'POST',
    body: { contentType: 'application/json', encoding: 'json', required: true, members: [], ...part },
  };
}

describe('a body', () => {
  it('of JSON is made of its members', async () => {
    const members = [
      { argument: 'name_body', name: 'name' },
      { argument: 'tags', name: 'tags' },
    ];
    const { body, headers } = await sent(bodyOf({ members }), { name_body: 'x', other: 1 });
    expect(body).toBe('{"name":"x"}');
    expect(headers['content-type']).toBe('application/json');
  });

  it('of JSON is empty when it is required, and is not sent when it is not', async () => {
    const members = [{ argument: 'name', name: 'name' }];
    expect((await sent(bodyOf({ members }), {})).body).toBe('{}');
    const optional = await sent(bodyOf({ members, required: false }), {});
    expect(optional).toMatchObject({ body: '', headers: { accept: expect.any(String) } });
    expect(optional.headers).not.toHaveProperty('content-type');
  });

  it('of JSON may be one argument', async () => {
    const whole = bodyOf({ argument: 'body', contentType: 'application/merge-patch+json' });
    const { body, headers } = await sent(whole, { body: [1, null] });
    expect(body).toBe('[1,null]');
    expect(headers['content-type']).toBe('application/merge-patch+json');
  });

  it('of a form repeats lists, writes objects as JSON and keeps what the encoding says', async () => {
    const members = [
      { argument: 'a', name: 'a' },
      { argument: 'list', name: 'list' },
      { argument: 'object', name: 'object' },
      { argument: 'deep', name: 'deep', style: 'deepObject', explode: true } as const,
      { argument: 'csv', name: 'csv', style: 'form', explode: false } as const,
    ];
    const form = bodyOf({ encoding: 'form', contentType: 'application/x-www-form-urlencoded', members });
    const { body, headers } = await sent(form, {
      a: 'b & c',
      list: [1, 2],
      object: { x: 1 },
      deep: { y: ['z'] },
      csv: ['p', 'q'],
    });
    expect([...new URLSearchParams(body)]).toEqual([
      ['a', 'b & c'],
      ['list', '1'],
      ['list', '2'],
      ['object', '{"x":1}'],
      ['deep[y][]', 'z'],
      ['csv', 'p,q'],
    ]);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it('of multipart has a part for each value, with files and media types', async () => {
    const kept = await files.save({
      bytes: new Uint8Array([0, 255, 13, 10]),
      name: 'a "b".png',
      mimeType: 'image/png',
    });
    const members = [
      { argument: 'title', name: 'title' },
      { argument: 'meta', name: 'meta' },
      { argument: 'ids', name: 'ids' },
      { argument: 'image', name: 'image', isFile: true } as const,
      { argument: 'notes', name: 'notes', isFile: true, contentType: 'text/markdown' } as const,
    ];
    const recipe = recipeOf(bodyOf({ encoding: 'multipart', contentType: 'multipart/form-data', members }));
    const args = {
      title: 'ü',
      meta: { a: 1 },
      ids: [1, 2],
      image: `file:${kept.handle}`,
      notes: ['# one', '# two'],
    };
    const requests: Request[] = [];
    await callOperation(recipe, args, {
      base: BASE,
      files,
      async send(url, { headers, body = null }) {
        requests.push(new Request(url, { method: 'POST', headers, body }));
        return Response.json({});
      },
    });
    const raw = await requests[0]?.clone().text();
    expect(raw).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}');
    const form = await requests[0]?.formData();
    expect(form?.get('title')).toBe('ü');
    expect(form?.get('meta')).toBe('{"a":1}');
    expect(form?.getAll('ids')).toEqual(['1', '2']);
    const image = form?.get('image');
    if (!(image instanceof File)) throw new Error('no file');
    expect([image.name, image.type]).toEqual(['a "b".png', 'image/png']);
    expect([...new Uint8Array(await image.arrayBuffer())]).toEqual([0, 255, 13, 10]);
    const notes = (form?.getAll('notes') ?? []).filter((note) => note instanceof File);
    expect(await Promise.all(notes.map((note) => note.text()))).toEqual(['# one', '# two']);
  });

  it('of bytes is a kept file with its own type, or a text', async () => {
    const kept = await files.save({
      bytes: new TextEncoder().encode('GIF'),
      name: 'a.gif',
      mimeType: 'image/gif',
    });
    const bytes = bodyOf({ encoding: 'bytes', contentType: 'image/*', argument: 'body' });
    const file = await sent(bytes, { body: `file:${kept.handle}` });
    expect([file.body, file.headers['content-type']]).toEqual(['GIF', 'image/gif']);
    const text = await sent(
      bodyOf({ encoding: 'bytes', contentType: 'application/x-thing', argument: 'body' }),
      {
        body: 'plain',
      },
    );
    expect([text.body, text.headers['content-type']]).toEqual(['plain', 'application/x-thing']);
  });

  it('of text is sent as it is', async () => {
    const text = bodyOf({ encoding: 'text', contentType: 'text/markdown', argument: 'body' });
    expect((await sent(text, { body: '# ü' })).body).toBe('# ü');
  });
});

describe('an answer', () => {
  const answer = async (body: BodyInit | null, init: ResponseInit = {}) =>
    (await call({}, {}, () => new Response(body, init))).result;
  const typed = (type: string) => ({ headers: { 'content-type': type } });

  it('of JSON keeps large integers, and lists are left alone', async () => {
    expect(await answer('[{"id":12345678901234567890}]', typed('application/vnd.api+json'))).toEqual([
      { id: '12345678901234567890' },
    ]);
  });

  it('without a body is an empty object', async () => {
    expect(await answer(null, { status: 204 })).toEqual({});
    expect(await answer('')).toEqual({});
  });

  it('of text is text in its character set', async () => {
    expect(await answer('a,b', typed('text/csv'))).toBe('a,b');
    expect(await answer(new Uint8Array([0xfc]), typed('text/plain; charset=iso-8859-1'))).toBe('ü');
    expect(await answer('{"a":1}\n{"a":2}\n', typed('application/x-ndjson'))).toBe('{"a":1}\n{"a":2}\n');
  });

  it('without a media type is read as described', async () => {
    expect(await answer(new TextEncoder().encode('{"a":1}'))).toEqual({ a: 1 });
  });

  it('of an image is an image, and other bytes are a kept file', async () => {
    const png = Uint8Array.from('\x89PNG\r\n\x1a\n\0', (unit) => unit.charCodeAt(0));
    expect(await answer(png, typed('image/png'))).toMatchObject({
      _mcpImage: { data: expect.any(String), mimeType: 'image/png' },
    });
    const zip = {
      headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="a.zip"' },
    };
    expect(await answer(new Uint8Array([0, 1]), zip)).toMatchObject({
      file: { name: 'a.zip', bytes: 2, mimeType: 'application/zip' },
    });
  });

  it('that refuses is an error in the words of the service, with when to try again', async () => {
    const problem = {
      type: 'https://example.com/out-of-credit',
      title: 'No credit',
      detail: 'Your balance is 30.',
    };
    const refused = answer(JSON.stringify(problem), {
      status: 429,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '7' },
    });
    await expect(refused).rejects.toThrow('429: Your balance is 30. (try again in 7 seconds)');
    await expect(refused).rejects.toBeInstanceOf(UpstreamError);
    await expect(answer('nothing here', { status: 404 })).rejects.toThrow('404: nothing here');
  });

  it('is asked for in the described types, the best ones first', async () => {
    const { headers } = await sent({ accepts: ['application/json', 'text/csv', 'application/xml'] }, {});
    expect(headers['accept']).toBe('application/json, text/csv;q=0.9, application/xml;q=0.8, */*;q=0.1');
    expect((await sent({ accepts: [] }, {})).headers['accept']).toBe('application/json, */*;q=0.5');
  });
});

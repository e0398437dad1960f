// Checks that the gateway refuses hostile archives and accepts those of common programs. reference: Jot uploads; decision: 049
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesFromArchive } from '../../src/jots/unpacking/archive.ts';
import {
  done,
  gzip,
  INDEX_HTML,
  MAX_BYTES,
  MAX_FILES,
  uploadOverLive,
  downloadAll,
  SMALL_JOTS,
  upload,
} from '../support/jots.ts';
import { END, paxRecord, rawHeader, type RawEntry, rawTar } from '../support/raw-tar.ts';
import { untilRead } from '../support/raw-http.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: SMALL_JOTS });
  ana = await app.user();
});
afterAll(() => app.close());

const index: RawEntry = { name: 'index.html', content: INDEX_HTML };
const refused = (archive: Uint8Array) =>
  uploadOverLive(app, ana, (name) => done(app, ana, 'deploy_jot', { name }), archive);
/** A header block that a reader of header blocks takes for content, and a reader of pax records for an entry. */
const HIDDEN = rawHeader({ name: 'sparse', type: 'S' });

describe('The gateway refuses a hostile archive as a whole', () => {
  const pax = (records: string, name = 'index.html'): RawEntry[] => [
    { name: 'pax', type: 'x', content: records },
    { name, content: 'x' },
  ];

  it.each<[string, RawEntry[]]>([
    ['..', [{ name: '../evil.txt' }]],
    ['a path that climbs inside', [{ name: 'a/../../evil.txt' }]],
    ['a path that is not normalised', [{ name: 'a/./b' }]],
    ['an empty segment', [{ name: 'a//b' }]],
    ['an absolute path', [{ name: '/etc/passwd' }]],
    ['a backslash', [{ name: 'a\\b' }]],
    ['NUL', pax(paxRecord('path', 'a\0b'))],
    ['a newline', [{ name: 'a\nb' }]],
    ['an escape', [{ name: 'a\u001B[31mb' }]],
    ['a C1 control', [{ name: 'a\u0085b' }]],
    ['a bidi override', [{ name: 'photo\u202Egpj.exe' }]],
    ['a bidi isolate', [{ name: 'a\u2066b' }]],
    ['bytes that are not UTF-8', [{ name: 'a', damage: (header) => void header.fill(0) }]],
    ['the same name twice', [{ name: 'a' }, { name: 'a' }]],
    ['the same name twice, once with ./', [{ name: 'a' }, { name: './a' }]],
    ['names that differ in case', [{ name: 'Readme' }, { name: 'README' }]],
    ['folders that differ in case', [{ name: 'Dir/a' }, { name: 'dir/b' }]],
    ['names that differ in composition', [{ name: 'caf\u00E9' }, { name: 'cafe\u0301' }]],
    ['a file used as a folder', [{ name: 'a' }, { name: 'a/b' }]],
    ['a folder used as a file', [{ name: 'a/b' }, { name: 'a' }]],
    ['a folder entry used as a file', [{ name: 'a/', type: '5' }, { name: 'a' }]],
    ["the manifest's name", [{ name: '.jot.json' }]],
    ["the manifest's name in capitals", [{ name: './.JOT.json' }]],
    ['an empty name', [{ name: '' }]],
    ['a hostile folder', [{ name: '../x/', type: '5' }]],
    ['a name of 2,000 characters', pax(paxRecord('path', 'x'.repeat(2_000)))],
  ])('as INVALID_PATH: %s', async (what, entries) => {
    const broken = what === 'bytes that are not UTF-8' ? pax(paxRecord('path', 'x')).map(latinName) : entries;
    expect(await refused(gzip(rawTar([index, ...broken])))).toEqual([400, 'INVALID_PATH']);
  });

  /** Replaces pax records by a long name of GNU tar that is not UTF-8. */
  function latinName(entry: RawEntry): RawEntry {
    return entry.type === 'x'
      ? { name: 'long', type: 'L', content: Buffer.from([0x61, 0xe4, 0x62, 0]) }
      : { name: 'y' };
  }

  const sizes: RawEntry[] = ['size', 'comment'].map((key) => ({
    name: 'pax',
    type: 'x',
    content: paxRecord(key, '0'),
  }));
  const sparse = (key: string) => pax(paxRecord('path', 'y') + paxRecord(key, '1'));
  it.each<[string, () => Uint8Array]>([
    ['nothing at all', () => new Uint8Array()],
    ['no gzip', () => Buffer.from('<!doctype html>')],
    ['an uncompressed tar', () => rawTar([index])],
    ['gzip of something else', () => gzip(Buffer.from('hello '.repeat(500)))],
    ['an empty gzip', () => gzip(new Uint8Array())],
    ['a symbolic link', () => gzip(rawTar([index, { name: 'l', type: '2', linkname: '/etc/passwd' }]))],
    ['a hard link', () => gzip(rawTar([index, { name: 'l', type: '1', linkname: 'index.html' }]))],
    ['a long link name', () => gzip(rawTar([{ name: 'l', type: 'K', content: '/etc/passwd\0' }, index]))],
    ['a character device', () => gzip(rawTar([index, { name: 'd', type: '3' }]))],
    ['a block device', () => gzip(rawTar([index, { name: 'd', type: '4' }]))],
    ['a fifo', () => gzip(rawTar([index, { name: 'd', type: '6' }]))],
    ['a sparse file of GNU tar', () => gzip(rawTar([index, { name: 's', type: 'S' }]))],
    ['a sparse file in pax records', () => gzip(rawTar([index, ...sparse('GNU.sparse.major')]))],
    ['an older sparse file in pax records', () => gzip(rawTar([index, ...sparse('GNU.sparse.map')]))],
    ['a size in a pax record', () => gzip(rawTar([...pax(paxRecord('size', '0')), index]))],
    [
      'an entry hidden behind a size in a pax record',
      () => gzip(rawTar([...pax(paxRecord('size', '0')).slice(0, 1), { ...index, content: HIDDEN }])),
    ],
    [
      'an entry hidden behind a size in a global pax record, with another global record after it',
      () =>
        gzip(
          rawTar([
            { name: 'g', type: 'g', content: paxRecord('size', '0') },
            { name: 'g', type: 'g', content: paxRecord('comment', 'x') },
            { ...index, content: HIDDEN },
          ]),
        ),
    ],
    ['a size in a pax record before other pax records', () => gzip(rawTar([...sizes, index]))],
    ['a pax record that is shorter than it says', () => gzip(rawTar([...pax('11 path=x\n'), index]))],
    ['a pax record that is longer than it says', () => gzip(rawTar([...pax('8 path=xyz\n'), index]))],
    ['a pax record without a length', () => gzip(rawTar([...pax('path=x\n'), index]))],
    ['pax records of no length', () => gzip(rawTar([...pax('1\n'.repeat(100_000) + ' '), index]))],
    ['a type nobody knows', () => gzip(rawTar([index, { name: 'q', type: 'Q' }]))],
    ['a folder with content', () => gzip(rawTar([index, { name: 'd/', type: '5', content: 'x' }]))],
    [
      'a bad checksum',
      () => gzip(rawTar([index, { name: 'a', damage: (header) => void header.write('b', 0) }])),
    ],
    [
      'a bad checksum over a huge size',
      () => gzip(rawTar([{ ...index, damage: (header) => void header.write('7', 124) }])),
    ],
    [
      'a checksum that is not a number',
      () => gzip(rawTar([index, { name: 'a', damage: (header) => void header.write('x', 148) }])),
    ],
    [
      'a cut inside a file',
      () => gzip(rawTar([index, { name: 'a', content: 'x'.repeat(5_000) }]).subarray(0, 3_000)),
    ],
    ['a cut inside a header', () => gzip(rawTar([index]).subarray(0, 300))],
    ['no end of the archive', () => gzip(rawTar([index], new Uint8Array()))],
    ['half an end of the archive', () => gzip(rawTar([index], END.subarray(512)))],
    ['a cut gzip', () => gzip(rawTar([index])).subarray(0, -9)],
    [
      'a wrong gzip checksum',
      () => gzip(rawTar([index])).map((byte, at, all) => (at === all.length - 8 ? byte ^ 1 : byte)),
    ],
    ['bytes after the tar', () => gzip(Buffer.concat([rawTar([index]), Buffer.from('more')]))],
    [
      'a second archive after the first',
      () => gzip(Buffer.concat([rawTar([index]), rawTar([{ name: 'b' }])])),
    ],
    ['bytes after the gzip', () => Buffer.concat([gzip(rawTar([index])), Buffer.from('more')])],
    [
      'pax records of a megabyte',
      () => gzip(rawTar([...pax(paxRecord('comment', 'x'.repeat(1_000_000))), index])),
    ],
  ])('as BAD_ARCHIVE: %s', async (_what, archive) => {
    expect(await refused(archive())).toEqual([400, 'BAD_ARCHIVE']);
  });

  it.each<[string, () => Uint8Array]>([
    ['a file that is larger than the limit', () => gzip(rawTar([{ name: 'big', size: MAX_BYTES + 1 }]))],
    ['a size in base 256', () => gzip(base256(2n ** 40n))],
    ['a size beyond all numbers', () => gzip(base256(2n ** 80n))],
    [
      'files that are too large together',
      () => gzip(rawTar([1, 2, 3].map((n) => ({ name: `${n}`, content: Buffer.alloc(700_000) })))),
    ],
    [
      'an upload that is larger than its limit',
      () => gzip(rawTar([{ name: 'r', content: noise(1_100_000) }])),
    ],
    ['a flood of zeros', () => gzip(Buffer.alloc(MAX_BYTES + 1_000_000))],
  ])('as TOO_LARGE: %s', async (_what, archive) => {
    expect(await refused(archive())).toEqual([413, 'TOO_LARGE']);
  });

  it.each<[string, RawEntry[]]>([
    ['files', Array.from({ length: MAX_FILES + 1 }, (_, n) => ({ name: `${n}` }))],
    ['folders', Array.from({ length: MAX_FILES * 2 + 1 }, (_, n) => ({ name: `${n}/`, type: '5' }))],
    [
      'folders that only the names of files mention',
      [1, 2, 3, 4, 5, 6].map((n) => ({ name: `${n}/${'a/'.repeat(45)}f` })),
    ],
  ])('as TOO_MANY_FILES: %s', async (_what, entries) => {
    expect(await refused(gzip(rawTar(entries)))).toEqual([413, 'TOO_MANY_FILES']);
  });

  it.each<[string, RawEntry[]]>([
    ['no index.html', [{ name: 'a' }]],
    ['no file at all', []],
    ['an index.html in a folder only', [{ name: 'sub/index.html' }]],
    ['a folder of that name', [{ name: 'index.html/a' }]],
  ])('as NO_INDEX: %s', async (_what, entries) => {
    expect(await refused(gzip(rawTar(entries)))).toEqual([400, 'NO_INDEX']);
  });
});

describe('An archive that reaches a limit exactly', () => {
  it.each<[string, RawEntry[]]>([
    [
      'files and bytes',
      Array.from({ length: MAX_FILES - 1 }, (_, n) => ({
        name: `${n}`,
        content: Buffer.alloc(n === 0 ? MAX_BYTES - INDEX_HTML.length - (MAX_FILES - 2) : 1),
      })),
    ],
    ['folders', Array.from({ length: MAX_FILES * 2 }, (_, n) => ({ name: `${n}/`, type: '5' }))],
  ])('is accepted: %s', async (_what, entries) => {
    const offered = await done(app, ana, 'deploy_jot', { name: 'full' });
    expect(await upload(app, offered, gzip(rawTar([index, ...entries])))).toMatchObject({ status: 200 });
  });
});

describe('The gateway accepts archives where', () => {
  const metadata = Buffer.from([0x00, 0x05, 0x16, 0x07, 0xff, 0xfe]);
  const xattr = Buffer.concat([
    Buffer.from('46 SCHILY.xattr.com.apple.quarantine='),
    metadata,
    Buffer.from('ab\n'),
  ]);

  it.each<[string, RawEntry[], Record<string, string>]>([
    [
      'git archive writes the commit into a global pax record',
      [
        { name: 'pax_global_header', type: 'g', content: paxRecord('comment', '0'.repeat(40)) },
        { name: 'a', content: 'a' },
      ],
      { a: 'a' },
    ],
    [
      'macOS writes AppleDouble files and binary pax records',
      [
        { name: './._a', content: metadata },
        { name: './PaxHeader/a', type: 'x', content: xattr },
        { name: './a', content: 'a' },
      ],
      { '._a': metadata.toString(), a: 'a' },
    ],
    [
      'GNU tar writes a long name as an entry',
      [
        { name: '././@LongLink', type: 'L', content: `${'long/'.repeat(30)}a\0` },
        { name: 'long/', content: 'a' },
      ],
      { [`${'long/'.repeat(30)}a`]: 'a' },
    ],
    [
      'ustar programs split a long name',
      [{ name: 'a', content: 'a', damage: (header) => void prefixed(header, 'p'.repeat(120)) }],
      { [`${'p'.repeat(120)}/a`]: 'a' },
    ],
    [
      'programs from before ustar write a folder as a file',
      [
        { name: 'd/', type: '\0' },
        { name: 'd/a', type: '\0', content: 'a' },
      ],
      { 'd/a': 'a' },
    ],
    [
      'GNU tar writes a date before 1970 as a negative number',
      [{ name: 'a', content: 'a', damage: (header) => void resummed(header, Buffer.alloc(12, 0xff), 136) }],
      { a: 'a' },
    ],
  ])('%s', async (_what, entries, files) => {
    const offered = await done(app, ana, 'deploy_jot', { name: 'foreign' });
    expect(await upload(app, offered, gzip(rawTar([index, ...entries])))).toMatchObject({ status: 200 });
    expect(await downloadAll(app, ana, 'foreign')).toEqual({ 'index.html': INDEX_HTML, ...files });
  });
});

describe('The archive reader', () => {
  it('can be left while the client has stopped sending inside a file', async () => {
    const limits = { maxBytes: 10_000, maxFiles: 10, maxPackedBytes: 10_000 };
    async function* stall() {
      yield new Uint8Array(rawHeader({ name: 'large', size: 5_000 }));
      yield new Uint8Array(100);
      await new Promise(() => {});
    }
    const files = filesFromArchive(stall(), (packed) => packed, limits);
    const { value: file } = await files.next();
    const pieces = file?.body[Symbol.asyncIterator]();
    expect((await pieces?.next())?.value).toHaveLength(100);
    void pieces?.next();
    const left = files.return(undefined).then(() => 'left');
    expect(await Promise.race([left, untilRead().then(() => 'still waiting')])).toBe('left');
  });
});

const noise = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

function base256(size: bigint): Buffer {
  const header = rawHeader({ name: 'big' });
  const field = Buffer.from(size.toString(16).padStart(24, '0'), 'hex');
  field.writeUInt8(0x80, 0);
  return Buffer.concat([resummed(header, field), END]);
}

const prefixed = (header: Buffer, prefix: string): Buffer => resummed(header, Buffer.from(prefix), 345);

/** Replaces a field of the header, by default the size, and corrects the checksum. */
function resummed(header: Buffer, field: Buffer, start = 124): Buffer {
  field.copy(header, start);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

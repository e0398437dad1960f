// Joins the files of a description: what one refers to in another becomes a part of the first.
import { isObject } from '../../json/json.ts';

/** Where the other files are put. A description may not have this member itself. */
const PLACE = 'x-gateway-files';
// The name of the member and the reference, quoted or not, as JSON and YAML write both. One to the own file begins with "#".
const REFERENCE =
  /\$ref["']?\s{0,9}:\s{0,99}(?:"([^"#\n][^"\n]{0,500})"|'([^'#\n][^'\n]{0,500})'|([^\s"'#,\]}{[][^\s,\]}]{0,500}))/g;

/** Lists the other files on the same origin that a text refers to, as addresses. */
export function filesNamedIn(text: string, address: string): string[] {
  const found = new Set<string>();
  for (const [, double, single, plain] of text.matchAll(REFERENCE)) {
    const file = fileOf(double ?? single ?? plain ?? '', address);
    if (file !== null && file.address !== fileOf('', address)?.address) found.add(file.address);
  }
  return [...found];
}

/** Puts the files into the root, and changes each reference to one of them into a reference within the root. */
export async function joinFiles(
  root: Record<string, unknown>,
  address: string,
  files: ReadonlyMap<string, unknown>,
  turn: () => Promise<void>,
): Promise<void> {
  const places = new Map([...files.keys()].map((file, index) => [file, `#/${PLACE}/${index}`]));
  rewrite(root, address, places, '#');
  for (const [file, document] of files) {
    rewrite(document, file, places, places.get(file) ?? '#');
    await turn();
  }
  root[PLACE] = Object.fromEntries([...files.values()].map((document, index) => [index, document]));
}

function rewrite(document: unknown, address: string, places: ReadonlyMap<string, string>, own: string): void {
  // Aliases of YAML share objects, and one may hold itself.
  const seen = new Set<unknown>();
  const left = [document];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    for (const value of Object.values(node)) left.push(value);
    if (!isObject(node)) continue;
    const { $ref: reference } = node;
    if (typeof reference === 'string') node['$ref'] = within(reference, address, places, own);
  }
}

function within(
  reference: string,
  address: string,
  places: ReadonlyMap<string, string>,
  own: string,
): string {
  if (reference.startsWith('#')) return own + reference.slice(1);
  const file = fileOf(reference, address);
  if (file === null) return reference;
  const place = file.address === fileOf('', address)?.address ? own : places.get(file.address);
  return place === undefined ? reference : place + file.pointer;
}

/** Null for another origin: the description may not choose which hosts the gateway asks. */
function fileOf(reference: string, address: string): { address: string; pointer: string } | null {
  const url = URL.parse(reference, address);
  if (url === null || url.origin !== new URL(address).origin) return null;
  const pointer = url.hash.slice(1);
  url.hash = '';
  return { address: url.href, pointer };
}

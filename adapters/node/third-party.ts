// Writes down the packages of others that a build contains: their licences for people, and a bill of materials for tools.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Manifest = z.object({ name: z.string(), version: z.string() });
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
    }),
  ),
});

/** The engine inside quickjs-wasi: warnings about its defects name it, and not the package. */
const ENGINE = {
  type: 'library',
  'bom-ref': 'pkg:github/quickjs-ng/quickjs@v0.18.0',
  name: 'quickjs-ng',
  version: '0.18.0',
  purl: 'pkg:github/quickjs-ng/quickjs@v0.18.0',
  licenses: [{ expression: 'MIT' }],
  hashes: [],
};

const FOLDER = 'node_modules/';
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

export interface ThirdParty {
  notices: string;
  /** CycloneDX 1.6 as JSON. It has no date and no random number, so equal builds have equal bills. */
  bill: string;
}

/** `inputs` are the files that went into the build, relative to `root`. */
export function describeThirdParty(root: string, inputs: readonly string[]): ThirdParty {
  const { packages } = Lock.parse(readJson(join(root, 'package-lock.json')));
  const used = [...new Set(inputs.map(findPackage).filter((key) => key !== null))].toSorted().map((key) => {
    const { license = 'unknown', integrity } = packages[key] ?? {};
    return {
      folder: join(root, key),
      ...Manifest.parse(readJson(join(root, key, 'package.json'))),
      license,
      integrity,
    };
  });
  const notices = used.map(
    ({ folder, name, version, license }) => `${name} ${version} (${license})\n\n${readLicence(folder)}\n`,
  );
  const components = used.map(({ name, version, license, integrity }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      licenses: [{ expression: license }],
      hashes:
        hash === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    };
  });
  if (used.some(({ name }) => name === 'quickjs-wasi')) components.push(ENGINE);
  const { name, version } = Manifest.parse(readJson(join(root, 'package.json')));
  const metadata = { component: { type: 'application', name, version } };
  return {
    notices: `This build contains the following packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`,
    bill: `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }, null, 2)}\n`,
  };
}

/** Returns the package of a file as package-lock.json names it, or null for a file of our own. */
function findPackage(file: string): string | null {
  const path = file.replaceAll('\\', '/');
  const first = path.indexOf(FOLDER);
  if (first === -1) return null;
  const last = path.lastIndexOf(FOLDER) + FOLDER.length;
  const [scope = '', name = ''] = path.slice(last).split('/');
  return path.slice(first, last) + (scope.startsWith('@') ? `${scope}/${name}` : scope);
}

function readLicence(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
  return files.length === 0 ? 'The package has no licence file.' : files.toSorted().join('\n\n');
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

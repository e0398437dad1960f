// Tests that a page which is opened by its address loads the styles of all its parts, whichever page was open before.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const PORTAL = resolve(import.meta.dirname, '../../portal');
const read = (path: string): string => readFileSync(path, 'utf8');
/** Imports of types load nothing. */
const importsOf = (path: string): string[] =>
  [...read(path).matchAll(/^(?:import|export|@import)\b(?! type\b)[^;]*?'(\.[^']+)'/gm)]
    .map(([, target = '']) => resolve(dirname(path), target))
    .filter((target) => existsSync(target));

/** Returns the file and everything that is loaded with it. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const target of importsOf(path)) loadedWith(target, seen);
  return seen;
}

/** The classes that have a rule of their own, with the files that have it. */
function styledClasses(): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>();
  for (const name of globSync('styles/*.css', { cwd: PORTAL })) {
    const text = read(join(PORTAL, name)).replaceAll(/\/\*.*?\*\//gs, '');
    for (const [, one = ''] of text.matchAll(/(?:^|[,{}])\s*\.([a-z][\w-]*)\s*(?=[,{])/g))
      files.set(one, (files.get(one) ?? new Set()).add(basename(name)));
  }
  return files;
}

const classesIn = (path: string): string[] =>
  [...read(path).matchAll(/\bclass=(?:"([^"]*)"|\{([^}]*)\})/g)]
    .flatMap(([, plain, made = '']) => plain ?? made.match(/(?<=['"`])[\w -]+(?=['"`])/g) ?? [])
    .flatMap((text) => text.split(' '));

it('loads the styles of every class that a page uses', () => {
  const styled = styledClasses();
  const sources = globSync('**/*.{ts,tsx}', { cwd: PORTAL }).map((name) => join(PORTAL, name));
  const pages = sources.flatMap((path) =>
    [...read(path).matchAll(/\bimport\('(\.[^']+\.tsx)'\)/g)].map(([, target = '']) =>
      resolve(dirname(path), target),
    ),
  );
  expect(pages.length).toBeGreaterThan(15);
  const always = [join(PORTAL, 'main.tsx'), join(PORTAL, 'styles/main.css')].flatMap((path) => [
    ...loadedWith(path),
  ]);

  const missing = new Set(pages).values().flatMap((page) => {
    const loaded = [...always, ...loadedWith(page)];
    const sheets = new Set(loaded.map((path) => basename(path)));
    const used = loaded.filter((path) => path.endsWith('.tsx')).flatMap(classesIn);
    return [...new Set(used)]
      .filter((one) => styled.has(one) && sheets.isDisjointFrom(styled.get(one) ?? new Set()))
      .map(
        (one) => `${page.slice(PORTAL.length + 1)}: ${one} of ${[...(styled.get(one) ?? [])].join(' or ')}`,
      );
  });
  expect([...missing]).toEqual([]);
});

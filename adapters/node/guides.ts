// Gathers the guides of integrations into one module, because a Worker has no files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `folder` has a folder for each integration. */
export function gatherGuides(folder: string): string {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'guide.md')));
  const entries = names.toSorted().map((name) => {
    const text = readFileSync(join(folder, name, 'guide.md'), 'utf8');
    return `  ${name}: \`${text.replaceAll(/[\\`]|\$\{/g, '\\$&')}\`,\n`;
  });
  return `// The guide of each integration, from its guide.md. \`npm run catalog\` writes this file.\nexport const guides: Readonly<Record<string, string>> = {\n${entries.join('')}};\n`;
}

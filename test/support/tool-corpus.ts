// The tools of the first release as search sees them: name, one plain sentence, integration.
import { readFileSync } from 'node:fs';

interface ToolRow {
  name: string;
  description: string;
  integration: string;
}

// The file has a section per integration and a line per tool.
const SECTIONS = readFileSync(new URL('tool-corpus.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n\n');

export const TOOL_CORPUS: readonly ToolRow[] = SECTIONS.flatMap((section) => {
  const [head = '', ...lines] = section.split('\n');
  const integration = head.slice('# '.length);
  return lines.map((line) => {
    const [name = ''] = line.split(': ', 1);
    return { name, description: line.slice(`${name}: `.length), integration };
  });
});

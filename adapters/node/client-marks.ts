// Draws the marks of the clients that people connect into one file: those of simple-icons, and letters for the others.
// decision: 051
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawMarks } from './marks.ts';

interface ClientMark {
  name: string;
  /** The icon in simple-icons, or the letters of a client that it does not have. */
  icon?: string;
  letters?: string;
  /** In the light and in the dark. */
  colours: readonly [string, string];
}

const CLIENTS: readonly ClientMark[] = [
  { name: 'claude-code', icon: 'claudecode', colours: ['#d97757', '#d97757'] },
  { name: 'claude', icon: 'claude', colours: ['#d97757', '#d97757'] },
  { name: 'cursor', icon: 'cursor', colours: ['#000000', '#f2f0ea'] },
  { name: 'vs-code', letters: 'VS', colours: ['#0065a9', '#4daafc'] },
  { name: 'codex', letters: 'Cx', colours: ['#0d0d0d', '#f2f0ea'] },
  { name: 'windsurf', icon: 'windsurf', colours: ['#0b100f', '#f2f0ea'] },
  { name: 'zed', icon: 'zedindustries', colours: ['#084ccf', '#7aa5ff'] },
  { name: 'chatgpt', letters: 'GP', colours: ['#0d7a5f', '#4fc3a1'] },
  { name: 'gemini', icon: 'googlegemini', colours: ['#7a5fa3', '#b39ad6'] },
  { name: 'n8n', icon: 'n8n', colours: ['#c8386a', '#ff91ac'] },
  { name: 'python', icon: 'python', colours: ['#3776ab', '#79b1de'] },
  { name: 'curl', icon: 'curl', colours: ['#073551', '#8fc1dd'] },
];

export function drawClientMarks(): string {
  return drawMarks(CLIENTS.map((client) => ({ name: client.name, logo: `<svg>${tile(client)}</svg>` })));
}

function tile({ icon, letters, colours: [light, dark] }: ClientMark): string {
  const plate =
    '<rect width="40" height="40" rx="9" fill="#f4f2ec" style="fill:light-dark(#f4f2ec,#2a2724)"/>';
  const ink = `fill="${light}" style="fill:light-dark(${light},${dark})"`;
  if (icon === undefined)
    return `${plate}<text x="20" y="26" ${ink} text-anchor="middle" font-family="system-ui,sans-serif" font-size="16" font-weight="700">${letters}</text>`;
  const file = join(import.meta.dirname, '../../node_modules/simple-icons/icons', `${icon}.svg`);
  const path = /<path d="([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return `${plate}<path transform="translate(8 8)" ${ink} d="${path}"/>`;
}

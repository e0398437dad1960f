// Draws the logos of all integrations into one file, so that the portal asks for one instead of thirty. decision: 051
import type { Integration } from '../../src/kit/integration.ts';

/** Each logo has 40 units. The rest keeps a scaled logo from showing the edge of its neighbour. */
const STEP = 48;

/** `marks.svg#github` shows the logo of GitHub. An unknown name shows an empty tile. */
export function drawMarks(integrations: readonly Pick<Integration, 'name' | 'logo'>[]): string {
  const drawn = integrations.flatMap(({ name, logo }) => (logo === null ? [] : [{ name, logo }]));
  const cells = drawn.map(({ name, logo }, index) => {
    const x = (index + 1) * STEP;
    return `<view id="${name}" viewBox="${x} 0 40 40"/><g transform="translate(${x})">${innerOf(logo)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" style="color-scheme:light dark"><rect width="40" height="40" rx="9" fill="#8f8b7e" fill-opacity=".25"/>\n${cells.join('\n')}\n</svg>\n`;
}

function innerOf(logo: string): string {
  return logo.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, '');
}

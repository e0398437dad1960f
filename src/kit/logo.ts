// Draws the logo of an integration: a mark on a tile. Both follow the theme of the page that shows them. decision: 051

const TILE = { light: '#f4f2ec', dark: '#2a2724' };

/** The colours of a mark, on a light tile and on a dark one. */
export interface MarkColours {
  light: string;
  dark: string;
}

/** `drawing` is SVG of 40 by 40 units in `currentColor`. */
export function drawLogo({ light, dark }: MarkColours, drawing: string): string {
  // An attribute is for programs that do not know light-dark(), which a style then overrides.
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" style="color-scheme:light dark"><rect width="40" height="40" rx="9" fill="${TILE.light}" style="fill:light-dark(${TILE.light},${TILE.dark})"/><g color="${light}" style="color:light-dark(${light},${dark})">${drawing}</g></svg>`;
}

/** `path` is the mark of a product as Simple Icons draws it, of 24 by 24 units. */
export function drawBrandLogo(colours: MarkColours, path: string): string {
  return drawLogo(colours, `<path transform="translate(9 9)scale(.9167)" fill="currentColor" d="${path}"/>`);
}

// Checks the mark and the colours of a product, and makes the style of its pages out of them. decision: 074
import * as z from 'zod';
import type { Face } from '../http/page.ts';
import { textOn } from '../kit/text-on.ts';
import type { ServiceKey } from '../ports/actors.ts';
import { MARK_CHARACTERS } from './limits.ts';

const COLOUR = /^#[0-9a-f]{6}$/i;
const Colour = z.string().regex(COLOUR, 'must be a colour such as #0a7f5a');

export const Colours = z.strictObject({
  light: Colour.describe('The colour of buttons and links on a light page'),
  dark: Colour.optional().describe('The same on a dark page. Absent takes the light one'),
});
export type Colours = z.infer<typeof Colours>;

/** Only these: a picture in SVG could be a page of its own. */
const KINDS: Readonly<Record<string, readonly number[]>> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/webp': [0x52, 0x49, 0x46, 0x46],
};
const DATA = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/]+={0,2})$/;

export const Mark = z
  .string()
  .max(MARK_CHARACTERS)
  .refine(isPicture, { error: 'must be a data: address of a PNG, JPEG or WebP picture in base64' })
  .describe(
    'A square picture as `data:image/png;base64,…`, PNG, JPEG or WebP. The page loads nothing from elsewhere',
  );

function isPicture(text: string): boolean {
  const [, type = '', data = ''] = DATA.exec(text) ?? [];
  const begins = KINDS[type];
  if (begins === undefined) return false;
  try {
    const bytes = atob(data);
    return begins.every((byte, at) => bytes.charCodeAt(at) === byte);
  } catch {
    return false;
  }
}

export const parseColours = (text: string | null): Colours | null =>
  text === null ? null : Colours.parse(JSON.parse(text));

export function faceOf({ mark, colours }: Pick<ServiceKey, 'mark' | 'colours'>): Face {
  const chosen = parseColours(colours);
  return { mark, style: chosen === null ? null : styleOf(chosen) };
}

/** Nothing but colours that were read as such gets into the style. */
function styleOf({ light, dark = light }: Colours): string {
  const pair = (onLight: string, onDark: string) => `light-dark(${onLight}, ${onDark})`;
  return `:root { --accent: ${pair(light, dark)}; --accent-hover: ${pair(light, dark)}; --on-accent: ${pair(textOn(light), textOn(dark))}; }`;
}

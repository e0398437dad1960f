// How cells look.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { withoutUndefined } from '../../src/kit/without-empty.ts';
import { flag, some, text } from '../google/oauth.ts';
import { change, gridRange, range, spreadsheetId } from './fields.ts';

const colour = text.regex(/^#[0-9a-f]{6}$/i, 'is not a colour such as #fff2cc').optional();

export const format: readonly Tool[] = [
  tool(
    'gsheets_format_range',
    'Format the cells of a range: bold, colours, alignment, number format',
    () => ({
      spreadsheetId,
      range,
      bold: flag.describe('true for bold text, false for plain'),
      italic: flag.describe('true for italic text, false for upright'),
      fontSize: z.int().optional().describe('Size of the letters in points, such as 11'),
      textColor: colour.describe('Colour of the text, such as #202124'),
      backgroundColor: colour.describe('Colour behind the text, such as #fff2cc'),
      horizontalAlignment: z.enum(['LEFT', 'CENTER', 'RIGHT']).optional().describe('Where the text stands'),
      wrap: flag.describe('true breaks long text into lines'),
      numberFormat: some.describe('Pattern of numbers and dates, such as #,##0.00 or yyyy-mm-dd or 0%'),
    }),
    async ({ spreadsheetId: id, range: at, ...wanted }, { upstream }) => {
      const { userEnteredFormat, fields } = cellFormat(wanted);
      if (fields === '') throw new Error('Say what to format, such as bold or numberFormat');
      const interval = await gridRange(upstream, id, at);
      return change(upstream, id, { repeatCell: { range: interval, cell: { userEnteredFormat }, fields } });
    },
    'write',
  ),
];

interface Format {
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  fontSize?: number | undefined;
  textColor?: string | undefined;
  backgroundColor?: string | undefined;
  horizontalAlignment?: string | undefined;
  wrap?: boolean | undefined;
  numberFormat?: string | undefined;
}

/** `fields` names what changes: everything else about the cells stays. */
function cellFormat({ bold, italic, fontSize, textColor, backgroundColor, ...rest }: Format) {
  const { horizontalAlignment, wrap, numberFormat } = rest;
  const textFormat = withoutUndefined({
    bold,
    italic,
    fontSize,
    foregroundColorStyle: colourStyle(textColor),
  });
  const others = withoutUndefined({
    backgroundColorStyle: colourStyle(backgroundColor),
    horizontalAlignment,
    wrapStrategy: wrap === undefined ? undefined : wrap ? 'WRAP' : 'OVERFLOW_CELL',
    numberFormat: numberFormat === undefined ? undefined : patternOf(numberFormat),
  });
  const fields = [
    ...Object.keys(textFormat).map((key) => `userEnteredFormat.textFormat.${key}`),
    ...Object.keys(others).map((key) => `userEnteredFormat.${key}`),
  ].join(',');
  const hasText = Object.keys(textFormat).length > 0;
  return { userEnteredFormat: { ...others, ...(hasText ? { textFormat } : {}) }, fields };
}

function patternOf(pattern: string): { type: string; pattern: string } {
  const type = pattern.includes('%')
    ? 'PERCENT'
    : /[ymdhs]/i.test(pattern.replace(/"[^"]*"|\\./g, ''))
      ? 'DATE_TIME'
      : 'NUMBER';
  return { type, pattern };
}

function colourStyle(hex: string | undefined): { rgbColor: Record<string, number> } | undefined {
  if (hex === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
  );
  return { rgbColor: { red, green, blue } };
}

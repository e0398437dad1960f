// Reads A1 notation: the sheet, and the cells as the half-open intervals that the API's requests use.

export interface Cells {
  startRowIndex?: number;
  endRowIndex?: number;
  startColumnIndex?: number;
  endColumnIndex?: number;
}

// One cell, or two corners of which each may lack its row or its column.
const CELL = /^\$?([A-Z]{1,3})\$?(\d{1,8})$/i;
const CORNERS = /^\$?([A-Z]{1,3})?\$?(\d{1,8})?:\$?([A-Z]{1,3})?\$?(\d{1,8})?$/i;

/** A range without a sheet is on the first sheet. A range without cells is the whole sheet. */
export function parseA1(range: string): { title: string | undefined; cells: Cells } {
  const [, quoted, plain, after] = /^(?:'((?:[^']|'')*)'|([^!']*))(?:!(.*))?$/.exec(range) ?? [];
  const title = quoted?.replaceAll("''", "'") ?? plain;
  if (title === undefined) throw new Error(`${range} is not a range such as Plan!A1:C10`);
  if (after === undefined && quoted !== undefined) return { title, cells: {} };
  const cells = parseCells(after ?? title);
  if (after === undefined) return cells === null ? { title, cells: {} } : { title: undefined, cells };
  if (cells === null) throw new Error(`${range} is not a range such as Plan!A1:C10`);
  return { title, cells };
}

function parseCells(text: string): Cells | null {
  const [cell, ...only] = CELL.exec(text) ?? [];
  const [corners, ...both] = CORNERS.exec(text) ?? [];
  if (cell === undefined && (corners === undefined || corners === ':')) return null;
  const [column, row, lastColumn, lastRow] = cell === undefined ? both : [...only, ...only];
  return {
    ...(row === undefined ? {} : { startRowIndex: Number(row) - 1 }),
    ...(lastRow === undefined ? {} : { endRowIndex: Number(lastRow) }),
    ...(column === undefined ? {} : { startColumnIndex: columnNumber(column) - 1 }),
    ...(lastColumn === undefined ? {} : { endColumnIndex: columnNumber(lastColumn) }),
  };
}

/** A is 1, Z is 26, AA is 27. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

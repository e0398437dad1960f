// Says which workbook and which sheet or table a tool means.
import * as z from 'zod';
import { quoted, some, text } from '../microsoft/graph.ts';

export const workbook = {
  fileId: text.describe('Id of the workbook (.xlsx), from excel_find_workbooks or onedrive_search_files'),
  driveId: some.describe('Id of its drive, when it is not in the own OneDrive'),
};

export interface Workbook {
  fileId: string;
  driveId?: string | undefined;
}

export const workbookAt = ({ driveId }: Pick<Workbook, 'driveId'>): `/${string}` =>
  `${driveId === undefined ? '/me/drive' : '/drives/{driveId}'}/items/{fileId}/workbook`;

export const sheet = text.describe('Name or id of the sheet, from excel_list_worksheets');
export const address = quoted.describe('Cells, such as A1:C10 or B2');
export const table = text.describe('Name or id of the table, from excel_list_tables');

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const cells = z.array(z.array(Cell));

export const RANGE = "worksheets/{sheet}/range(address='{address}')";

// What the tools of Confluence have in common.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'camelCase', lists: 'comma' });

export const text = z.string();
export const some = text.optional();
export const id = text.describe('Page id, a number, from confluence_search or the address of the page');
export const SPACE_ID = 'Space id, a number, from confluence_list_spaces';

export const PAGES = '/wiki/api/v2/pages';
export const PAGE = '/wiki/api/v2/pages/{id}';

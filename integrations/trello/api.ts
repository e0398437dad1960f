// The spelling of Trello's API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'camelCase', lists: 'comma' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const ids = z.array(text).optional();

export const BOARD = 'Board id, from trello_list_boards or the short id in its address';
export const LIST = 'List id, from trello_get_board';
export const card = {
  cardId: text.describe('Card id, from trello_list_cards, or the short id in its address: trello.com/c/<id>'),
};
export const memberIds = ids.describe('All members of the card: ids from trello_get_board');
export const labelIds = ids.describe('All labels of the card: ids from trello_get_board');
export const DUE = 'Time such as 2026-03-31T15:00:00Z';
export const pos = () =>
  z
    .union([z.enum(['top', 'bottom']), z.number().positive()])
    .optional()
    .describe('Place: top, bottom, or a number between the pos of its neighbours');

// Without these Trello returns everything that its own pages need.
export const CARD_LINE =
  'name,idBoard,idList,idMembers,labels,due,dueComplete,closed,dateLastActivity,shortUrl';
export const CARD_ALL = `${CARD_LINE},desc,start,pos,badges`;

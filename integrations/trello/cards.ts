// Cards, their comments and checklists.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import {
  BOARD,
  card,
  CARD_ALL,
  CARD_LINE,
  DUE,
  flag,
  labelIds,
  LIST,
  memberIds,
  pos,
  row,
  send,
  some,
  text,
} from './api.ts';

const FILTER = z
  .enum(['open', 'closed', 'all'])
  .default('open')
  .describe('Which cards; closed ones are archived');
const lines = { always: { fields: CARD_LINE } };
const MAX_ITEMS = 50;

const Checklist = z.looseObject({ id: text });

export const cards: readonly Tool[] = [
  row(
    'trello_list_cards',
    'GET /boards/{boardId}/cards',
    'List the cards of a board, newest first',
    () => ({
      boardId: text.describe(BOARD),
      filter: FILTER,
      limit: z.int().min(1).max(1000).default(100).describe('Cards per page'),
      before: some.describe('Id of the oldest card of the previous page'),
    }),
    lines,
  ),
  row(
    'trello_list_cards_in_list',
    'GET /lists/{listId}/cards',
    'List the cards of one list, from top to bottom',
    () => ({ listId: text.describe(LIST), filter: FILTER }),
    lines,
  ),
  row(
    'trello_list_my_cards',
    'GET /members/me/cards',
    'List the cards that the person is a member of',
    () => ({
      filter: z.enum(['visible', 'open', 'closed', 'all']).default('visible').describe('Which cards'),
    }),
    lines,
  ),
  row(
    'trello_get_card',
    'GET /cards/{cardId}',
    'Get a card with its description, members, list, checklists and files',
    () => card,
    {
      always: {
        fields: CARD_ALL,
        members: 'true',
        member_fields: 'fullName,username',
        list: 'true',
        board: 'true',
        board_fields: 'name',
        checklists: 'all',
        checklist_fields: 'name',
        attachments: 'true',
        attachment_fields: 'name,url,bytes,mimeType,isUpload,date',
      },
    },
  ),
  row('trello_create_card', 'POST /cards', 'Create a card in a list', () => ({
    idList: text.describe(LIST),
    name: text.describe('Title of the card'),
    desc: some.describe('Description in Markdown'),
    due: some.describe(DUE),
    start: some.describe(DUE),
    idMembers: memberIds,
    idLabels: labelIds,
    pos: pos(),
    urlSource: some.describe('Address to attach to the card'),
  })),
  row(
    'trello_update_card',
    'PUT /cards/{cardId}',
    'Change, move, complete or archive a card: arguments replace the current values, null clears a date',
    () => ({
      ...card,
      name: some.describe('New title'),
      desc: some.describe('New description in Markdown, instead of the whole old one'),
      idList: some.describe(`${LIST}; moves the card`),
      idBoard: some.describe('Full board id; moves the card to another board'),
      due: text.nullable().optional().describe(DUE),
      start: text.nullable().optional().describe(DUE),
      dueComplete: flag.describe('true marks the card as complete'),
      closed: flag.describe('true archives the card, false restores it'),
      idMembers: memberIds,
      idLabels: labelIds,
      pos: pos(),
    }),
  ),
  row(
    'trello_delete_card',
    'DELETE /cards/{cardId}',
    'Delete a card for ever; archiving keeps it',
    () => card,
  ),
  row(
    'trello_list_comments',
    'GET /cards/{cardId}/actions',
    'List the comments on a card, newest first',
    () => ({ ...card, page: z.int().min(0).default(0).describe('Page of fifty comments, from 0') }),
    {
      always: {
        filter: 'commentCard',
        fields: 'date,data',
        memberCreator_fields: 'fullName,username',
      },
      result: (payload) => (Array.isArray(payload) ? payload.map(toComment) : payload),
    },
  ),
  row('trello_add_comment', 'POST /cards/{cardId}/actions/comments', 'Comment on a card', () => ({
    ...card,
    text: text.min(1).describe('Text of the comment, in Markdown; @username mentions a person'),
  })),
  tool(
    'trello_create_checklist',
    'Add a checklist to a card, with its items',
    () => ({
      ...card,
      name: text.describe('Name of the checklist'),
      items: z
        .array(text.min(1))
        .max(MAX_ITEMS)
        .default([])
        .describe('Texts of the items, in order, at most 50'),
    }),
    async ({ cardId, name, items }, { upstream }) => {
      const made = Checklist.parse(await send(upstream, 'POST /cards/{cardId}/checklists', { cardId, name }));
      const checkItems: unknown[] = [];
      // One after another, because Trello keeps the order in which they arrive.
      for (const item of items)
        checkItems.push(
          await send(upstream, 'POST /checklists/{id}/checkItems', { id: made.id, name: item }),
        );
      return { ...made, checkItems };
    },
    'write',
  ),
  row(
    'trello_update_check_item',
    'PUT /cards/{cardId}/checkItem/{checkItemId}',
    'Check off, rename or move an item of a checklist',
    () => ({
      ...card,
      checkItemId: text.describe('Id of the item, from trello_get_card'),
      state: z.enum(['complete', 'incomplete']).optional().describe('complete checks the item off'),
      name: some.describe('New text'),
      pos: pos(),
    }),
  ),
];

const Comment = z.lazy(() =>
  z.object({
    id: text,
    date: text,
    data: z.object({ text }),
    memberCreator: z.unknown(),
  }),
);

/** Leaves out the card and the board, which every comment repeats. */
function toComment(action: unknown): unknown {
  const { data, ...rest } = Comment.safeParse(action).data ?? {};
  return data === undefined ? action : { ...rest, text: data.text };
}

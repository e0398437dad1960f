// The person, and boards with their lists, labels and members.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { BOARD, CARD_LINE, flag, LIST, pos, row, some, text } from './api.ts';

const BOARD_FIELDS = 'name,desc,closed,idOrganization,dateLastActivity,shortUrl';
const COLOURS = [
  'yellow',
  'purple',
  'blue',
  'red',
  'green',
  'orange',
  'black',
  'sky',
  'pink',
  'lime',
] as const;

export const boards: readonly Tool[] = [
  row('trello_whoami', 'GET /members/me', 'Show who is connected, and in which workspaces', () => ({}), {
    always: {
      fields: 'fullName,username,email,url',
      organizations: 'all',
      organization_fields: 'name,displayName',
    },
  }),
  row(
    'trello_list_boards',
    'GET /members/me/boards',
    'List the boards of the person',
    () => ({
      filter: z
        .enum(['open', 'closed', 'starred', 'all'])
        .default('open')
        .describe('Which boards; closed ones are archived'),
    }),
    { always: { fields: BOARD_FIELDS } },
  ),
  row(
    'trello_get_board',
    'GET /boards/{boardId}',
    'Get a board with its open lists, labels and members, whose ids other tools take',
    () => ({ boardId: text.describe(BOARD) }),
    {
      always: {
        fields: BOARD_FIELDS,
        lists: 'open',
        list_fields: 'name,pos',
        labels: 'all',
        label_fields: 'name,color',
        members: 'all',
        member_fields: 'fullName,username',
      },
    },
  ),
  row(
    'trello_create_board',
    'POST /boards/',
    'Create a board',
    () => ({
      name: text.min(1).describe('Name of the board'),
      desc: some.describe('Description in Markdown'),
      idOrganization: some.describe('Workspace id, from trello_whoami; the default workspace without it'),
      defaultLists: flag.describe('false leaves out the lists To Do, Doing and Done'),
      visibility: z.enum(['private', 'org', 'public']).optional().describe('Who sees it, private by default'),
    }),
    { names: { visibility: 'prefs_permissionLevel' } },
  ),
  row('trello_create_list', 'POST /lists', 'Add a list to a board', () => ({
    idBoard: text.describe('Full board id, from trello_list_boards'),
    name: text.min(1).describe('Name of the list'),
    pos: pos(),
  })),
  row('trello_update_list', 'PUT /lists/{listId}', 'Rename, move, archive or restore a list', () => ({
    listId: text.describe(LIST),
    name: some.describe('New name'),
    closed: flag.describe('true archives the list with its cards, false restores it'),
    pos: pos(),
  })),
  row('trello_create_label', 'POST /labels', 'Create a label on a board', () => ({
    idBoard: text.describe('Full board id, from trello_list_boards'),
    name: text.describe('Name of the label'),
    color: z.enum(COLOURS).nullable().describe('Colour, or null for a label that shows on open cards only'),
  })),
  row(
    'trello_search',
    'GET /search',
    'Search cards and boards by words and operators such as is:open, @me, label:bug, due:week, board:Plan',
    () => ({
      query: text.min(1).describe('Words and operators, such as invoice is:open due:week'),
      idBoards: some.describe('Board ids separated by commas, or mine; everywhere without it'),
      modelTypes: text
        .default('cards,boards')
        .describe('What to find, separated by commas: cards, boards, organizations'),
      cardsLimit: z.int().min(1).max(1000).default(20).describe('Cards per page'),
      cardsPage: z.int().min(0).max(100).default(0).describe('Page of cards, from 0'),
      partial: flag.describe('true finds words by their beginning'),
    }),
    {
      names: { cardsLimit: 'cards_limit', cardsPage: 'cards_page' },
      always: { card_fields: CARD_LINE, board_fields: BOARD_FIELDS },
    },
  ),
];

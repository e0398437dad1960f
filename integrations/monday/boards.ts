// The person, people, workspaces and boards with their groups and columns.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { BOARD, page, row, some, text, texts } from './api.ts';

const COLUMNS = [
  'text',
  'long_text',
  'status',
  'dropdown',
  'people',
  'date',
  'timeline',
  'numbers',
  'checkbox',
  'link',
  'email',
  'phone',
  'file',
  'tags',
  'board_relation',
] as const;

export const boards: readonly Tool[] = [
  row(
    'monday_whoami',
    'query{me{id name email title teams{id name} account{id name slug}}}',
    'Show who is connected, and to which account',
    () => ({}),
  ),
  row(
    'monday_list_users',
    'query($name:String,$emails:[String!],$limit:Int,$page:Int){users(name:$name,emails:$emails,limit:$limit,page:$page){id name email title}}',
    'List the people of the account, or find them by name or e-mail address',
    () => ({
      name: some.describe('Name, or a part of it'),
      emails: texts.describe('E-mail addresses'),
      ...page(),
    }),
  ),
  row(
    'monday_list_workspaces',
    'query($limit:Int,$page:Int){workspaces(limit:$limit,page:$page){id name kind description}}',
    'List workspaces',
    page,
  ),
  row(
    'monday_list_boards',
    'query($workspaceIds:[ID],$limit:Int,$page:Int){boards(workspace_ids:$workspaceIds,limit:$limit,page:$page,order_by:used_at){id name description url type board_kind items_count updated_at workspace{id name}}}',
    'List boards, those used last first',
    () => ({
      workspaceIds: texts.describe('Only in these workspaces, by id from monday_list_workspaces'),
      ...page(),
    }),
  ),
  row(
    'monday_get_board',
    'query($boardId:ID!){boards(ids:[$boardId]){id name description url state board_kind items_count workspace{id name} owners{id name} groups{id title} columns{id title type description settings}}}',
    'Get a board with its groups and columns, whose ids and settings other tools need',
    () => ({ boardId: text.describe(BOARD) }),
  ),
  row(
    'monday_create_board',
    'mutation($name:String!,$kind:BoardKind!,$workspaceId:ID,$description:String,$empty:Boolean){create_board(board_name:$name,board_kind:$kind,workspace_id:$workspaceId,description:$description,empty:$empty){id name url}}',
    'Create a board',
    () => ({
      name: text.min(1).describe('Name of the board'),
      kind: z
        .enum(['public', 'private', 'share'])
        .default('public')
        .describe('public: the whole account sees it; share: guests too'),
      workspaceId: some.describe('Workspace id, from monday_list_workspaces'),
      description: some.describe('What the board is for'),
      empty: z.boolean().optional().describe('true leaves out the sample items'),
    }),
  ),
  row(
    'monday_create_group',
    'mutation($boardId:ID!,$name:String!){create_group(board_id:$boardId,group_name:$name){id title}}',
    'Add a group to a board, at its top',
    () => ({ boardId: text.describe(BOARD), name: text.min(1).describe('Name of the group') }),
  ),
  row(
    'monday_create_column',
    'mutation($boardId:ID!,$title:String!,$type:ColumnType!,$description:String){create_column(board_id:$boardId,title:$title,column_type:$type,description:$description){id title type}}',
    'Add a column to a board',
    () => ({
      boardId: text.describe(BOARD),
      title: text.min(1).describe('Title of the column'),
      type: z.enum(COLUMNS).describe('What the column holds'),
      description: some.describe('What the column is for'),
    }),
  ),
];

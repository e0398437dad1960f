// Items and subitems of boards.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import {
  BOARD,
  columnValues,
  createLabelsIfMissing,
  GROUP,
  ITEM,
  LINE,
  MADE,
  row,
  some,
  text,
  texts,
} from './api.ts';

const boardId = text.describe(BOARD);
const itemId = text.describe(ITEM);

export const items: readonly Tool[] = [
  row(
    'monday_list_items',
    `query($boardId:ID!,$limit:Int!,$cursor:String,$queryParams:ItemsQuery){boards(ids:[$boardId]){items_page(limit:$limit,cursor:$cursor,query_params:$queryParams){cursor items{${LINE}}}}}`,
    'List the items of a board with the texts of their columns, filtered and sorted',
    () => ({
      boardId,
      limit: z.int().min(1).max(500).default(25).describe('Results per page'),
      cursor: some.describe('cursor of the previous page; it keeps the filter, so leave out queryParams'),
      queryParams: z
        .record(text, z.unknown())
        .optional()
        .describe(
          'Filter and order, such as {"rules":[{"column_id":"status","compare_value":[1],"operator":"any_of"},{"column_id":"name","compare_value":["plan"],"operator":"contains_text"}],"order_by":[{"column_id":"date4","direction":"desc"}]}',
        ),
    }),
  ),
  row(
    'monday_search_items',
    'query($query:String!,$limit:Int,$boardIds:[ID!]){search{items(query:$query,limit:$limit,board_ids:$boardIds){results{indexed_data{id name url board_id workspace_id}}}}}',
    'Search items of all boards by words, best matches first',
    () => ({
      query: text.min(1).describe('Words to search for'),
      limit: z.int().min(1).max(20).default(10).describe('Number of results'),
      boardIds: texts.describe('Only on these boards, by id'),
    }),
  ),
  row(
    'monday_get_item',
    `query($itemId:ID!){items(ids:[$itemId]){${LINE} created_at creator{id name} board{id name} parent_item{id name} subitems{id name column_values{id text}} assets{id name file_size created_at} updates(limit:10){id text_body created_at creator{id name}}}}`,
    'Get an item with its columns, subitems, files and latest updates',
    () => ({ itemId }),
  ),
  row(
    'monday_create_item',
    `mutation($boardId:ID!,$groupId:String,$name:String!,$columnValues:JSON,$createLabelsIfMissing:Boolean){create_item(board_id:$boardId,group_id:$groupId,item_name:$name,column_values:$columnValues,create_labels_if_missing:$createLabelsIfMissing){${MADE}}}`,
    'Create an item on a board',
    () => ({
      boardId,
      name: text.min(1).describe('Name of the item'),
      groupId: some.describe(`${GROUP}; the first group without it`),
      columnValues: columnValues().optional(),
      createLabelsIfMissing,
    }),
  ),
  row(
    'monday_create_subitem',
    `mutation($parentItemId:ID!,$name:String!,$columnValues:JSON,$createLabelsIfMissing:Boolean){create_subitem(parent_item_id:$parentItemId,item_name:$name,column_values:$columnValues,create_labels_if_missing:$createLabelsIfMissing){${MADE}}}`,
    'Create a subitem of an item; its columns are those of the board that create_subitem returns',
    () => ({
      parentItemId: itemId,
      name: text.min(1).describe('Name of the subitem'),
      columnValues: columnValues().optional(),
      createLabelsIfMissing,
    }),
  ),
  row(
    'monday_update_item',
    `mutation($boardId:ID!,$itemId:ID!,$columnValues:JSON!,$createLabelsIfMissing:Boolean){change_multiple_column_values(board_id:$boardId,item_id:$itemId,column_values:$columnValues,create_labels_if_missing:$createLabelsIfMissing){${LINE}}}`,
    'Change columns of an item; {"name":"…"} renames it, and an empty text clears a column',
    () => ({ boardId, itemId, columnValues: columnValues(), createLabelsIfMissing }),
  ),
  row(
    'monday_move_item_to_group',
    `mutation($itemId:ID!,$groupId:String!){move_item_to_group(item_id:$itemId,group_id:$groupId){${MADE}}}`,
    'Move an item to another group of its board',
    () => ({ itemId, groupId: text.describe(GROUP) }),
  ),
  row(
    'monday_archive_item',
    'mutation($itemId:ID!){archive_item(item_id:$itemId){id state}}',
    'Archive an item, from where a person can restore it',
    () => ({ itemId }),
  ),
  row(
    'monday_delete_item',
    'mutation($itemId:ID!){delete_item(item_id:$itemId){id state}}',
    'Delete an item; a person can restore it for 30 days',
    () => ({ itemId }),
    { access: 'destroy' },
  ),
];

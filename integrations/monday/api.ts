// The spelling of monday's GraphQL API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createGraphqlRows, writeJson } from '../../src/kit/graphql-rows.ts';

export const { row, ask } = createGraphqlRows({ path: '/v2' });

export const text = z.string();
export const some = text.optional();
export const texts = z.array(text).optional();

export const BOARD = 'Board id, from monday_list_boards or its address: /boards/<id>';
export const ITEM = 'Item id, from monday_list_items or its address: /pulses/<id>';
export const GROUP = 'Group id, from monday_get_board';
export const page = () => ({
  limit: z.int().min(1).max(100).default(25).describe('Results per page'),
  page: z.int().min(1).default(1).describe('Page to return, from 1'),
});

/** The API takes these values as a text of JSON. */
export const columnValues = () =>
  z
    .record(text, z.unknown())
    .transform((values) => writeJson(values))
    .describe(
      'Values by column id from monday_get_board, such as {"status":{"label":"Done"},"date4":{"date":"2026-03-31"},"person":{"personsAndTeams":[{"id":7,"kind":"person"}]},"text":"Plan"}',
    );
export const createLabelsIfMissing = z
  .boolean()
  .optional()
  .describe('true adds labels that a status or dropdown column lacks');

export const LINE = 'id name url state updated_at group{id title} column_values{id type text}';
export const MADE = 'id name url group{id title} board{id name}';

// The tools of Discourse, which call it like its own pages. Writes carry the CSRF token of the session.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { createRows, type Method } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case', lists: 'brackets', look: isSignedIn, read: asJson });

const text = z.string();
const some = text.optional();
const id = text.describe('Topic `id` from discourse_list_latest_topics or discourse_search, e.g. 123');
const postId = text.describe(
  'Post `id` from discourse_get_topic or discourse_search, not its number in the topic',
);
const raw = text.describe('Text in Markdown');
const perPage = z.int().optional().describe('Topics per page, at most 100');
const page = () => z.int().min(0).optional().describe('Page to return, from 0');

export const tools = [
  row('discourse_whoami', 'GET /session/current.json', 'Get the Discourse user of the session', () => ({})),
  row(
    'discourse_search',
    'GET /search.json',
    'Search topics and posts for words, best matches first',
    () => ({
      query: text.describe(
        'Words, with filters such as in:title, @name, #category, tags:a, after:2026-01-01 or order:latest',
      ),
      page: z.int().min(1).optional().describe('Page to return, from 1'),
    }),
    { names: { query: 'q' } },
  ),
  row(
    'discourse_list_latest_topics',
    'GET /latest.json',
    'List the latest topics of the forum; more_topics_url in the answer means that there is another page',
    () => ({
      order: some.describe(
        'Sort by default, created, activity, views, posts, category, likes, op_likes or posters',
      ),
      ascending: some.describe('true reverses the order'),
      perPage,
      page: page(),
    }),
  ),
  row(
    'discourse_list_top_topics',
    'GET /top.json',
    'List the topics with the most activity in a period',
    () => ({
      period: some.describe('Period: all, yearly, quarterly, monthly, weekly or daily'),
      perPage,
      page: page(),
    }),
  ),
  row(
    'discourse_get_topic',
    'GET /t/{id}.json',
    'Get a topic with its first 20 posts; post_stream.stream has the ids of all posts',
    () => ({ id }),
  ),
  row(
    'discourse_list_topic_posts',
    'GET /t/{id}/posts.json',
    'List posts of a topic by their ids, to read on after the first 20 of discourse_get_topic',
    () => ({
      id,
      postIds: z
        .array(z.int())
        .optional()
        .describe('Ids in post_stream.stream of discourse_get_topic; the first 20 posts if left out'),
    }),
  ),
  row('discourse_get_post', 'GET /posts/{id}.json', 'Get a post by its id; `raw` is its Markdown', () => ({
    id: postId,
  })),
  tool(
    'discourse_create_post',
    'Start a forum topic by giving a title, or reply to one by giving its topicId',
    () => ({
      raw,
      title: some.describe('Title of the new topic'),
      topicId: z
        .int()
        .optional()
        .describe('Topic to reply in: `id` from discourse_list_latest_topics or discourse_search'),
      category: z.int().optional().describe('Category of the new topic: `id` from discourse_list_categories'),
    }),
    (args, { upstream }) => write(upstream, 'POST /posts.json', args),
    'write',
  ),
  tool(
    'discourse_update_post',
    'Replace the text of a post',
    () => ({
      id: postId,
      post: z
        .strictObject({ raw, edit_reason: some.describe('Why, for the history of the post') })
        .optional()
        .describe('Whole new text of the post'),
    }),
    (args, { upstream }) => write(upstream, 'PUT /posts/{id}.json', args),
    'write',
  ),
  row(
    'discourse_list_categories',
    'GET /categories.json',
    'List all categories of the forum with their ids and slugs',
    () => ({
      includeSubcategories: z.boolean().optional().describe('true adds the subcategories of each category'),
    }),
  ),
  row(
    'discourse_list_category_topics',
    'GET /c/{slug+}/{id}.json',
    'List the latest topics of one category',
    () => ({
      slug: text.describe('`slug` from discourse_list_categories; parent/child for a subcategory'),
      id: z.int().describe('Category `id` from discourse_list_categories'),
      page: page(),
    }),
  ),
  row('discourse_get_user', 'GET /u/{username}.json', 'Get the public profile of a person', () => ({
    username: text.describe('Username without @'),
  })),
];

const Csrf = z.object({ csrf: text });

async function write(
  upstream: Upstream,
  request: `${Method} /${string}`,
  args: Record<string, unknown>,
): Promise<unknown> {
  const { csrf } = Csrf.parse(await send(upstream, 'GET /session/csrf.json'));
  return send(upstream, request, args, { headers: { 'x-csrf-token': csrf } });
}

/** After the session has ended, Discourse answers reads as anonymous and says so in a header. */
function isSignedIn({ headers }: Response): void {
  if (headers.has('discourse-logged-out'))
    throw new Error('The session at Discourse has ended. Reconnect Discourse.');
}

/** Where a forum requires a sign-in, its sign-in page arrives when the session has ended. */
function asJson(payload: unknown): unknown {
  if (typeof payload === 'string')
    throw new Error(
      'Discourse answered with a page instead of data: the session has ended. Reconnect Discourse.',
    );
  return payload;
}

// The tools of Discourse, which call it like its own pages. Writes carry the CSRF token of the session.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { createRows, type Method } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case', lists: 'brackets', look: isSignedIn, read: asJson });

const text = z.string();
const some = text.optional();
const id = text.describe('A number, as in the address of a topic');
const perPage = z.int().optional();
const page = z.int().min(0).optional().describe('From 0');

export const tools = [
  row('discourse_whoami', 'GET /session/current.json', 'Who the session belongs to', () => ({})),
  row(
    'discourse_search',
    'GET /search.json',
    'Search topics and posts for words, paged by page',
    () => ({
      query: text.describe(
        'With filters such as in:title, @name, #category, tags:a, after:2026-01-01, order:latest',
      ),
      page: z.int().min(1).optional().describe('From 1'),
    }),
    { names: { query: 'q' } },
  ),
  row(
    'discourse_list_latest_topics',
    'GET /latest.json',
    'List topics, the latest first, paged by page; without a more_topics_url it was the last',
    () => ({
      order: some.describe('default, created, activity, views, posts, category, likes, op_likes or posters'),
      ascending: some.describe('true for the other way round'),
      perPage,
      page,
    }),
  ),
  row(
    'discourse_list_top_topics',
    'GET /top.json',
    'List the topics with the most activity of a period, paged by page',
    () => ({ period: some.describe('all, yearly, quarterly, monthly, weekly or daily'), perPage, page }),
  ),
  row(
    'discourse_get_topic',
    'GET /t/{id}.json',
    'Get a topic with its first 20 posts; post_stream.stream has the ids of all',
    () => ({ id }),
  ),
  row(
    'discourse_list_topic_posts',
    'GET /t/{id}/posts.json',
    'List posts of a topic, the first 20, or those of postIds: the next of its post_stream.stream',
    () => ({ id, postIds: z.array(z.int()).optional() }),
  ),
  row('discourse_get_post', 'GET /posts/{id}.json', 'Get a post, raw is its Markdown', () => ({ id: text })),
  tool(
    'discourse_create_post',
    'Start a topic with a title, or reply in the topic of topicId',
    () => ({
      raw: text.describe('Markdown'),
      title: some,
      topicId: z.int().optional(),
      category: z.int().optional().describe('The number of a category, for a new topic'),
    }),
    (args, { upstream }) => write(upstream, 'POST /posts.json', args),
    'write',
  ),
  tool(
    'discourse_update_post',
    'Change the text of a post',
    () => ({
      id: text,
      post: z.strictObject({ raw: text.describe('Markdown'), edit_reason: some }).optional(),
    }),
    (args, { upstream }) => write(upstream, 'PUT /posts/{id}.json', args),
    'write',
  ),
  row(
    'discourse_list_categories',
    'GET /categories.json',
    'List all categories of the forum at once',
    () => ({
      includeSubcategories: z.boolean().optional(),
    }),
  ),
  row(
    'discourse_list_category_topics',
    'GET /c/{slug+}/{id}.json',
    'List topics of a category, the latest first, paged by page',
    () => ({ slug: text.describe('For a subcategory parent/child, as in its address'), id: z.int(), page }),
  ),
  row('discourse_get_user', 'GET /u/{username}.json', 'Get what a person shows of themselves', () => ({
    username: text,
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

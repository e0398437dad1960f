// Opens a pull request, or updates the one that is open from the same branch. reference: Upstream behaviours
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { UpstreamError } from '../../src/kit/payload.ts';
import { at, flag, MARKDOWN, repository, send, some, text, texts } from './api.ts';

const Pull = z.lazy(() =>
  z.looseObject({
    number: z.int(),
    html_url: some,
    user: z.object({ login: text }).nullish(),
  }),
);
type Pull = z.infer<typeof Pull>;

interface Wish {
  owner: string;
  repo: string;
  title: string;
  head: string;
  base: string;
  body?: string | undefined;
  draft?: boolean | undefined;
  maintainerCanModify?: boolean | undefined;
}

export const createPullRequest = tool(
  'github_create_pull_request',
  'Open a pull request, or update the one that is open from the same branch, and request reviews',
  () => ({
    ...repository,
    title: text.describe('One line that sums up the change'),
    head: text.describe('Branch with the changes, such as feature-1; owner:branch for that of a fork'),
    base: text.describe('Branch to merge the changes into, such as main'),
    body: some.describe(MARKDOWN),
    draft: flag.describe('True to open it as a draft'),
    maintainerCanModify: flag.describe('True to let maintainers push to the branch of a fork'),
    reviewers: texts.optional().describe('Logins of people to ask for a review; the author is left out'),
  }),
  async ({ reviewers = [], ...wish }, { upstream }) => {
    const pull = await openOrUpdate(upstream, wish);
    // If the author is among the reviewers, GitHub refuses all of them.
    const author = pull.user?.login.toLowerCase();
    const others = reviewers.filter((login) => login.toLowerCase() !== author);
    return others.length === 0 ? pull : requestReviews(upstream, wish, pull, others);
  },
  'write',
);

async function openOrUpdate(upstream: Upstream, wish: Wish): Promise<Pull> {
  try {
    return Pull.parse(await send(upstream, `POST ${at}/pulls`, { ...wish }));
  } catch (error) {
    const open = saysItExists(error) ? await findOpen(upstream, wish) : undefined;
    if (open === undefined) throw error;
    const { owner, repo, title, body, maintainerCanModify } = wish;
    const changes = { owner, repo, number: open.number, title, body, maintainerCanModify };
    return Pull.parse(await send(upstream, `PATCH ${at}/pulls/{number}`, changes));
  }
}

function saysItExists(error: unknown): boolean {
  return error instanceof UpstreamError && error.status === 422 && /already exists/i.test(error.message);
}

async function findOpen(upstream: Upstream, { owner, repo, head, base }: Wish): Promise<Pull | undefined> {
  const query = { owner, repo, state: 'open', head: head.includes(':') ? head : `${owner}:${head}`, base };
  return z.array(Pull).parse(await send(upstream, `GET ${at}/pulls`, query))[0];
}

async function requestReviews(
  upstream: Upstream,
  { owner, repo }: Wish,
  pull: Pull,
  reviewers: string[],
): Promise<Pull> {
  const path = `POST ${at}/pulls/{number}/requested_reviewers`;
  try {
    const { requested_reviewers } = Pull.parse(
      await send(upstream, path, { owner, repo, number: pull.number, reviewers }),
    );
    return { ...pull, requested_reviewers };
  } catch (cause) {
    // The pull request exists although its reviewers were refused, so the message says so.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Pull request ${pull.number} is open, but its reviewers were refused: ${why}`, { cause });
  }
}

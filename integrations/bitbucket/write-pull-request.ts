// Opening and changing pull requests. reference: Upstream behaviours
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import {
  closeSourceBranch,
  description,
  flag,
  pullRequest,
  REPOSITORY,
  repository,
  send,
  some,
  text,
} from './fields.ts';
import { reviewersFor } from './reviewers.ts';

type Place = { workspace: string; repoSlug: string };

const Person = z.looseObject({ uuid: some });
const End = z.lazy(() =>
  z.looseObject({
    repository: z.looseObject({ uuid: some }).nullish(),
    branch: z.looseObject({ name: some }).nullish(),
  }),
);
const Found = z.lazy(() =>
  z.looseObject({
    values: z
      .array(z.looseObject({ id: z.int(), source: End.nullish(), destination: End.nullish() }))
      .default([]),
  }),
);
const kept = <Kind extends z.ZodType>(kind: Kind) => kind.nullish().transform((value) => value ?? undefined);
const Current = z.lazy(() =>
  z.looseObject({
    title: some,
    description: kept(text),
    close_source_branch: kept(z.boolean()),
    draft: kept(z.boolean()),
    author: Person.nullish(),
    reviewers: z.array(z.looseObject({ uuid: text })).optional(),
  }),
);

const reviewers = z
  .array(text)
  .optional()
  .describe('User uuids from bitbucket_list_workspace_members, with or without braces');
const draft = flag.describe('true for a draft');
const toBranch = text.transform((name) => ({ branch: { name } }));
const destinationBranch = toBranch.optional();

export const createPullRequest = tool(
  'bitbucket_create_pull_request',
  'Create a pull request, or update the open one that has the same source branch',
  () => ({
    ...repository,
    title: text.describe('Title of the pull request'),
    sourceBranch: text.describe('Branch with the changes'),
    destinationBranch: destinationBranch.describe('Branch to merge into; the main branch if left out'),
    description,
    reviewers,
    closeSourceBranch,
    draft,
  }),
  async ({ workspace, repoSlug, sourceBranch, destinationBranch: destination, ...fields }, { upstream }) => {
    const place = { workspace, repoSlug };
    const pullRequestId = await findOpen(upstream, place, sourceBranch, destination?.branch.name);
    if (pullRequestId !== null)
      return update(upstream, { ...place, pullRequestId }, { ...fields, destination });
    const author = fields.reviewers?.length
      ? Person.parse(await send(upstream, 'GET /user')).uuid
      : undefined;
    return send(upstream, `POST ${REPOSITORY}/pullrequests`, {
      ...place,
      ...fields,
      source: { branch: { name: sourceBranch } },
      destination,
      reviewers: fields.reviewers && reviewersFor(author, fields.reviewers),
    });
  },
  'write',
);

export const updatePullRequest = tool(
  'bitbucket_update_pull_request',
  'Change the title, description, reviewers or destination of a pull request. What you leave out stays as it is',
  () => ({
    ...pullRequest,
    title: some.describe('New title'),
    description,
    reviewers,
    destinationBranch: destinationBranch.describe('New branch to merge into'),
    draft,
  }),
  async ({ workspace, repoSlug, pullRequestId, destinationBranch: destination, ...fields }, { upstream }) =>
    update(upstream, { workspace, repoSlug, pullRequestId }, { ...fields, destination }),
  'write',
);

interface Changes {
  title?: string | undefined;
  description?: string | undefined;
  closeSourceBranch?: boolean | undefined;
  draft?: boolean | undefined;
  reviewers?: string[] | undefined;
  destination?: unknown;
}

async function update(upstream: Upstream, place: Place & { pullRequestId: number }, changes: Changes) {
  const path = `${REPOSITORY}/pullrequests/{pullRequestId}` as const;
  const current = Current.parse(await send(upstream, `GET ${path}`, place));
  const wanted = changes.reviewers ?? current.reviewers?.map(({ uuid }) => uuid);
  // Bitbucket refuses an update without a title, and clears every other field that is left out except the two
  // branches.
  return send(upstream, `PUT ${path}`, {
    ...place,
    ...changes,
    title: changes.title ?? current.title,
    description: changes.description ?? current.description,
    closeSourceBranch: changes.closeSourceBranch ?? current.close_source_branch,
    draft: changes.draft ?? current.draft,
    reviewers: wanted && reviewersFor(current.author?.uuid, wanted),
  });
}

/** One branch can have an open pull request per destination: takes the one with the same destination. */
async function findOpen(
  upstream: Upstream,
  place: Place,
  sourceBranch: string,
  target: string | undefined,
): Promise<number | null> {
  const name = sourceBranch.replace(/["\\]/g, '\\$&');
  const q = `state="OPEN" AND source.branch.name="${name}"`;
  const found = await send(upstream, `GET ${REPOSITORY}/pullrequests`, { ...place, q, pagelen: 50 });
  // A fork may have a branch with the same name.
  const own = Found.parse(found).values.filter(
    ({ source, destination }) => source?.repository?.uuid === destination?.repository?.uuid,
  );
  return (own.find(({ destination }) => destination?.branch?.name === target) ?? own[0])?.id ?? null;
}

// The writing tools of Jira. Texts are sent as Atlassian documents, and names are looked up.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { toAdf } from '../atlassian/adf.ts';
import { ISSUE, issueIdOrKey, map, send, some, text } from './fields.ts';

// The standard fields whose texts are Atlassian documents.
const DOCUMENTS = ['description', 'environment'];
const fields = map
  .optional()
  .describe(
    'Other fields by id (jira_list_fields), such as {"labels":["ops"]}; description and environment in Markdown',
  );
const Transitions = z.lazy(() =>
  z.object({
    transitions: z.array(
      z.looseObject({ id: text, name: text, to: z.looseObject({ name: text }).optional() }),
    ),
  }),
);

export const writing = [
  tool(
    'jira_create_issue',
    'Create an issue in a project',
    () => ({
      projectKey: text.describe('Project key such as WEB, from jira_list_projects'),
      issueType: text.describe('Name of the issue type, such as Task or Bug'),
      summary: text.describe('Title of the issue, in one line'),
      description: some.describe('Text of the issue, in Markdown'),
      fields,
    }),
    ({ projectKey, issueType, summary, description, fields: others }, { upstream }) =>
      send(upstream, 'POST /rest/api/3/issue', {
        fields: asDocuments({
          project: { key: projectKey },
          issuetype: { name: issueType },
          summary,
          description,
          ...others,
        }),
      }),
    'write',
  ),
  tool(
    'jira_update_issue',
    'Change fields of an issue; jira_transition_issue changes its status',
    () => ({
      issueIdOrKey,
      fields,
      update: map
        .optional()
        .describe(
          'Operations on fields that are not in the fields argument, such as {"labels":[{"add":"triaged"}]}',
        ),
    }),
    ({ fields: changed = {}, ...args }, { upstream }) =>
      send(upstream, `PUT ${ISSUE}`, { ...args, fields: asDocuments(changed) }),
    'write',
  ),
  tool(
    'jira_transition_issue',
    'Move an issue to another status of its workflow, by a transition',
    () => ({
      issueIdOrKey,
      transitionId: some.describe('From jira_list_transitions; or give transitionName'),
      transitionName: some.describe('Name of the transition or of the new status, such as Done'),
      fields,
    }),
    async ({ issueIdOrKey: key, transitionId, transitionName, fields: changed }, { upstream }) => {
      const id = transitionId ?? (await findTransition(upstream, key, transitionName));
      const body = changed === undefined ? {} : { fields: asDocuments(changed) };
      return send(upstream, `POST ${ISSUE}/transitions`, { issueIdOrKey: key, transition: { id }, ...body });
    },
    'write',
  ),
  tool(
    'jira_add_comment',
    'Comment on an issue',
    () => ({ issueIdOrKey, body: text.describe('Text of the comment, in Markdown') }),
    ({ issueIdOrKey: key, body }, { upstream }) =>
      send(upstream, `POST ${ISSUE}/comment`, { issueIdOrKey: key, body: toAdf(body) }),
    'write',
  ),
  tool(
    'jira_add_worklog',
    'Log time on an issue',
    () => ({
      issueIdOrKey,
      timeSpent: some.describe('Required by Jira: the time spent, such as 3h 20m or 1d'),
      started: z.iso
        .datetime({ offset: true })
        .optional()
        .describe('Start of the work, such as 2026-03-01T09:00:00+01:00; now by default'),
      comment: some.describe('What was done, in Markdown'),
    }),
    ({ started, comment, ...args }, { upstream, clock }) =>
      send(upstream, `POST ${ISSUE}/worklog`, {
        ...args,
        // Jira's documentation says: required when creating a worklog.
        started: asJiraTime(started ?? new Date(clock.millis()).toISOString()),
        comment: comment === undefined ? undefined : toAdf(comment),
      }),
    'write',
  ),
  tool(
    'jira_link_issues',
    'Link two issues: with type Blocks the inward issue blocks the outward one',
    () => ({
      type: text.describe('Name of a link type, such as Blocks, Duplicate or Relates'),
      inwardIssue: text.describe('Key of the issue that blocks or duplicates, such as WEB-12'),
      outwardIssue: text.describe('Key of the issue that is blocked or duplicated, such as WEB-13'),
      comment: some.describe('Comment to add, in Markdown'),
    }),
    ({ type, inwardIssue, outwardIssue, comment }, { upstream }) =>
      send(upstream, 'POST /rest/api/3/issueLink', {
        type: { name: type },
        inwardIssue: { key: inwardIssue },
        outwardIssue: { key: outwardIssue },
        comment: comment === undefined ? undefined : { body: toAdf(comment) },
      }),
    'write',
  ),
];

function asDocuments(given: Record<string, unknown>): Record<string, unknown> {
  const written = Object.entries(given).map(([name, value]) => [
    name,
    DOCUMENTS.includes(name) && typeof value === 'string' ? toAdf(value) : value,
  ]);
  return Object.fromEntries(written);
}

async function findTransition(upstream: Upstream, key: string, name: string | undefined): Promise<string> {
  if (name === undefined) throw new Error('Give a transitionId or a transitionName');
  const { transitions } = Transitions.parse(
    await send(upstream, `GET ${ISSUE}/transitions`, { issueIdOrKey: key }),
  );
  const isIt = (each: string | undefined) => each?.toLowerCase() === name.toLowerCase();
  const found = transitions.find((each) => isIt(each.name)) ?? transitions.find(({ to }) => isIt(to?.name));
  if (found !== undefined) return found.id;
  const names = transitions.map((each) => each.name).join(', ');
  throw new Error(`${key} has no transition "${name}" from where it is; it has: ${names || 'none'}`);
}

/** Jira requires milliseconds, and an offset without a colon. */
function asJiraTime(time: string): string {
  const [, seconds = '', millis = '', offset = ''] =
    /^(.{10}T\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.exec(time) ?? [];
  const whole = seconds.length === 16 ? `${seconds}:00` : seconds;
  return `${whole}.${millis.slice(1, 4).padEnd(3, '0')}${offset === 'Z' ? '+0000' : offset.replace(':', '')}`;
}

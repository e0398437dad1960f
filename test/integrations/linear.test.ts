// Tests Linear: tool, arguments → the requested field and its variables; and every document against the
// published schema.
import { getVariableValues, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { linear } from '../../integrations/linear/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { run } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { readLinearSchema } from '../support/linear-schema.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

interface Request {
  query: string;
  variables: Record<string, unknown>;
}

const page = { first: 25 };
const eng = { team: { key: { eq: 'ENG' } } };
const rows: readonly (readonly [name: string, args: object, asked: string, variables: object])[] = [
  ['linear_whoami', {}, 'viewer', {}],
  ['linear_list_teams', { after: 'c' }, 'teams', { ...page, after: 'c' }],
  ['linear_get_team', { id: 't' }, 'team', { id: 't' }],
  ['linear_list_users', { first: 250 }, 'users', { first: 250 }],
  ['linear_list_workflow_states', { filter: eng }, 'workflowStates', { ...page, filter: eng }],
  ['linear_list_labels', { filter: eng, after: 'c' }, 'issueLabels', { ...page, filter: eng, after: 'c' }],
  [
    'linear_create_label',
    { name: 'Bug', teamId: 't' },
    'issueLabelCreate',
    { input: { name: 'Bug', teamId: 't' } },
  ],
  ['linear_list_cycles', { first: 3, after: 'c' }, 'cycles', { first: 3, after: 'c' }],
  [
    'linear_list_issues',
    { filter: { ...eng, priority: { lte: 2 } }, orderBy: 'updatedAt' },
    'issues',
    { ...page, filter: { ...eng, priority: { lte: 2 } }, orderBy: 'updatedAt' },
  ],
  [
    'linear_search_issues',
    { term: 'größer "as" it', teamId: 't' },
    'searchIssues',
    { ...page, term: 'größer "as" it', teamId: 't' },
  ],
  ['linear_get_issue', { id: 'ENG-1' }, 'issue', { id: 'ENG-1' }],
  [
    'linear_create_issue',
    { teamId: 't', title: 'One', priority: 2, labelIds: ['l'], dueDate: '2026-03-31', estimate: 3 },
    'issueCreate',
    {
      input: { teamId: 't', title: 'One', priority: 2, labelIds: ['l'], dueDate: '2026-03-31', estimate: 3 },
    },
  ],
  [
    'linear_update_issue',
    { id: 'ENG-1', stateId: 's', assigneeId: null, addedLabelIds: ['l'], estimate: null },
    'issueUpdate',
    { id: 'ENG-1', input: { stateId: 's', assigneeId: null, addedLabelIds: ['l'], estimate: null } },
  ],
  ['linear_archive_issue', { id: 'ENG-1' }, 'issueArchive', { id: 'ENG-1' }],
  [
    'linear_add_comment',
    { issueId: 'ENG-1', body: 'Hello', parentId: 'c' },
    'commentCreate',
    { input: { issueId: 'ENG-1', body: 'Hello', parentId: 'c' } },
  ],
  ['linear_update_comment', { id: 'c', body: 'Hi' }, 'commentUpdate', { id: 'c', input: { body: 'Hi' } }],
  [
    'linear_create_attachment',
    { issueId: 'i', title: 'PR', url: 'https://x.example/1', metadata: { open: true } },
    'attachmentCreate',
    { input: { issueId: 'i', title: 'PR', url: 'https://x.example/1', metadata: { open: true } } },
  ],
  [
    'linear_create_issue_relation',
    { issueId: 'i', relatedIssueId: 'j', type: 'blocks' },
    'issueRelationCreate',
    { input: { issueId: 'i', relatedIssueId: 'j', type: 'blocks' } },
  ],
  [
    'linear_list_projects',
    { filter: { status: { type: { eq: 'started' } } } },
    'projects',
    { ...page, filter: { status: { type: { eq: 'started' } } } },
  ],
  ['linear_get_project', { id: 'p' }, 'project', { id: 'p' }],
  [
    'linear_create_project',
    { name: 'One', teamIds: ['t'], targetDate: '2026-03-31' },
    'projectCreate',
    { input: { name: 'One', teamIds: ['t'], targetDate: '2026-03-31' } },
  ],
  [
    'linear_update_project',
    { id: 'p', content: '# One', leadId: null },
    'projectUpdate',
    { id: 'p', input: { content: '# One', leadId: null } },
  ],
];

async function requestOf(name: string, args: object): Promise<Request> {
  let sent: UpstreamCall | undefined;
  await use(name, args, (call) => {
    sent = call;
    return Response.json({ data: { any: null } });
  });
  expect(sent).toMatchObject({ method: 'POST', path: '/graphql' });
  return JSON.parse(String(sent?.body));
}

function use(name: string, args: object, answer: (call: UpstreamCall) => Response): Promise<unknown> {
  return run(linear, name, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream: async (call) => answer(call),
    fetch: () => Promise.reject(new Error('none')),
  });
}

function operationOf(query: string) {
  const [operation, ...others] = parse(query).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0)
    throw new Error('not one operation');
  return operation;
}

describe('a Linear request', () => {
  it.each(rows)('is sent for %s', async (name, args, asked, variables) => {
    const request = await requestOf(name, args);
    const fields = operationOf(request.query).selectionSet.selections;
    expect(fields.map((field) => (field.kind === Kind.FIELD ? field.name.value : field.kind))).toEqual([
      asked,
    ]);
    expect(request.variables).toEqual(variables);
  });

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(linear.tools.map(({ name }) => name)));
  });

  it.each([
    ['linear_list_teams', { first: 251 }],
    ['linear_create_issue', { teamId: 't', title: 'One', priority: 5 }],
    ['linear_create_issue', { teamId: 't', title: 'One', odd: true }],
    ['linear_create_issue_relation', { issueId: 'i', relatedIssueId: 'j', type: 'eats' }],
  ])('is refused by %s for %j', async (name, args) => {
    await expect(requestOf(name, args)).rejects.toThrow();
  });
});

describe("Linear's published schema", () => {
  let schema: GraphQLSchema;
  beforeAll(() => {
    schema = readLinearSchema();
  });

  const faultsOf = ({ query, variables }: Request) => {
    const faults = validate(schema, parse(query));
    if (faults.length > 0) return faults.map(({ message }) => message);
    const declared = operationOf(query).variableDefinitions ?? [];
    return getVariableValues(schema, declared, variables).errors?.map(({ message }) => message) ?? [];
  };

  it.each(rows)('has the fields that %s asks for, and accepts its variables', async (name, args) => {
    expect(faultsOf(await requestOf(name, args))).toEqual([]);
  });

  it.each([
    ['query{viewer{id shoeSize}}', {}],
    ['query($first:String){teams(first:$first){nodes{id}}}', {}],
    ['query{teams(colour:"red"){nodes{id}}}', {}],
    [
      'mutation($input:IssueCreateInput!){issueCreate(input:$input){success}}',
      { input: { title: 'No team' } },
    ],
    ['query($filter:IssueFilter){issues(filter:$filter){nodes{id}}}', { filter: { team: { shoe: 1 } } }],
  ])('refuses for %s the arguments %j', (query, variables) => {
    expect(faultsOf({ query, variables })).toHaveLength(1);
  });
});

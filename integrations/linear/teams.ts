// Teams and their people, states, labels and cycles.
import type { Tool } from '../../src/kit/integration.ts';
import { filter, PAGE, page, row, some, TEAM_ID, text } from './api.ts';

const CYCLE = 'id number name startsAt endsAt';
const ofTeam = filter('{"team":{"key":{"eq":"ENG"}}}');

export const teams: readonly Tool[] = [
  row(
    'linear_whoami',
    'query{viewer{id name email admin organization{id name urlKey}}}',
    'Show who is connected, and to which workspace',
    () => ({}),
  ),
  row(
    'linear_list_teams',
    `query($first:Int,$after:String){teams(first:$first,after:$after){nodes{id key name description} ${PAGE}}}`,
    'List the teams of the workspace',
    page,
  ),
  row(
    'linear_get_team',
    `query($id:String!){team(id:$id){id key name states{nodes{id name type position}} labels{nodes{id name}} activeCycle{${CYCLE}}}}`,
    'Get a team with its workflow states, labels and active cycle',
    () => ({ id: text.describe(TEAM_ID) }),
  ),
  row(
    'linear_list_users',
    `query($first:Int,$after:String){users(first:$first,after:$after){nodes{id name displayName email active} ${PAGE}}}`,
    'List the people of the workspace',
    page,
  ),
  row(
    'linear_list_workflow_states',
    `query($filter:WorkflowStateFilter,$first:Int,$after:String){workflowStates(filter:$filter,first:$first,after:$after){nodes{id name type team{id key}} ${PAGE}}}`,
    'List the states that issues go through',
    () => ({ filter: ofTeam, ...page() }),
  ),
  row(
    'linear_list_labels',
    `query($filter:IssueLabelFilter,$first:Int,$after:String){issueLabels(filter:$filter,first:$first,after:$after){nodes{id name color team{id key}} ${PAGE}}}`,
    'List the labels of issues; a label without a team belongs to the workspace',
    () => ({ filter: ofTeam, ...page() }),
  ),
  row(
    'linear_create_label',
    'mutation($input:IssueLabelCreateInput!){issueLabelCreate(input:$input){success issueLabel{id name}}}',
    'Create a label for issues, in a team or in the whole workspace',
    () => ({
      name: text.describe('Name of the label'),
      color: some.describe('Such as #4ea7fc'),
      description: some.describe('What the label is for'),
      teamId: some.describe(`${TEAM_ID}; the whole workspace without it`),
      parentId: some.describe('Label group that it belongs to, an id from linear_list_labels'),
    }),
  ),
  row(
    'linear_list_cycles',
    `query($filter:CycleFilter,$first:Int,$after:String){cycles(filter:$filter,first:$first,after:$after){nodes{${CYCLE} progress team{id key}} ${PAGE}}}`,
    'List cycles, which are the sprints of a team',
    () => ({ filter: ofTeam, ...page() }),
  ),
];

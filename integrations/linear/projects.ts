// Projects.
import type { Tool } from '../../src/kit/integration.ts';
import {
  clearable,
  filter,
  PAGE,
  page,
  PERSON_ID,
  priority,
  PROJECT_ID,
  row,
  some,
  START_DATE,
  TARGET_DATE,
  text,
  texts,
} from './api.ts';

// `state` is deprecated, although many documents still use it; `status` replaces it.
const PROJECT =
  'id name description url progress startDate targetDate status{name type} lead{id name} teams{nodes{id key}}';
const about = () => ({
  description: some.describe('Summary, at most 255 characters'),
  content: some.describe('Long text, in Markdown'),
  statusId: some.describe('Project status id, from the GraphQL query projectStatuses with linear_request'),
  priority: priority(),
  memberIds: texts.describe('User ids of all members, from linear_list_users'),
});
const teamIds = texts.describe('Team ids, from linear_list_teams');
const LEAD_ID = `${PERSON_ID}; the person who leads the project`;

export const projects: readonly Tool[] = [
  row(
    'linear_list_projects',
    `query($filter:ProjectFilter,$first:Int,$after:String){projects(filter:$filter,first:$first,after:$after){nodes{id name url progress targetDate status{name type} lead{id name}} ${PAGE}}}`,
    'List projects',
    () => ({ filter: filter('{"status":{"type":{"eq":"started"}}}'), ...page() }),
  ),
  row(
    'linear_get_project',
    `query($id:String!){project(id:$id){${PROJECT} content projectMilestones{nodes{id name targetDate progress}}}}`,
    'Get a project with its text and milestones',
    () => ({ id: text.describe('Project id from linear_list_projects, or the slug in its address') }),
  ),
  row(
    'linear_create_project',
    'mutation($input:ProjectCreateInput!){projectCreate(input:$input){success project{id name url}}}',
    'Create a project',
    () => ({
      name: text.describe('Name of the project'),
      teamIds: teamIds.unwrap().describe('Team ids, from linear_list_teams'),
      ...about(),
      leadId: some.describe(LEAD_ID),
      startDate: some.describe(START_DATE),
      targetDate: some.describe(TARGET_DATE),
    }),
  ),
  row(
    'linear_update_project',
    'mutation($id:String!,$input:ProjectUpdateInput!){projectUpdate(id:$id,input:$input){success project{id name url}}}',
    'Change a project: arguments replace the current values, null clears a value',
    () => ({
      id: text.describe(PROJECT_ID),
      name: some.describe('New name'),
      teamIds,
      ...about(),
      leadId: clearable(text).describe(LEAD_ID),
      startDate: clearable(text).describe(START_DATE),
      targetDate: clearable(text).describe(TARGET_DATE),
    }),
  ),
];

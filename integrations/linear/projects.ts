// Projects.
import type { Tool } from '../../src/kit/integration.ts';
import { clearable, day, filter, PAGE, page, priority, row, some, text, texts } from './api.ts';

// `state` is deprecated, although many documents still use it; `status` replaces it.
const PROJECT =
  'id name description url progress startDate targetDate status{name type} lead{id name} teams{nodes{id key}}';
const about = {
  description: some.describe('At most 255 characters'),
  content: some.describe('Markdown'),
  statusId: some,
  priority,
  memberIds: texts,
};

export const projects: readonly Tool[] = [
  row(
    'linear_list_projects',
    `query($filter:ProjectFilter,$first:Int,$after:String){projects(filter:$filter,first:$first,after:$after){nodes{id name url progress targetDate status{name type} lead{id name}} ${PAGE}}}`,
    'List projects, paged by after',
    () => ({ filter: filter('{"status":{"type":{"eq":"started"}}}'), ...page }),
  ),
  row(
    'linear_get_project',
    `query($id:String!){project(id:$id){${PROJECT} content projectMilestones{nodes{id name targetDate progress}}}}`,
    'Get a project with its text and milestones',
    () => ({ id: text.describe('Id, or slug as in its url') }),
  ),
  row(
    'linear_create_project',
    'mutation($input:ProjectCreateInput!){projectCreate(input:$input){success project{id name url}}}',
    'Create a project',
    () => ({ name: text, teamIds: texts.unwrap(), ...about, leadId: some, startDate: day, targetDate: day }),
  ),
  row(
    'linear_update_project',
    'mutation($id:String!,$input:ProjectUpdateInput!){projectUpdate(id:$id,input:$input){success project{id name url}}}',
    'Change a project: what is given replaces, null takes away',
    () => ({
      id: text,
      name: some,
      teamIds: texts,
      ...about,
      leadId: clearable(text),
      startDate: clearable(text).describe('Such as 2026-03-31'),
      targetDate: clearable(text).describe('Such as 2026-03-31'),
    }),
  ),
];

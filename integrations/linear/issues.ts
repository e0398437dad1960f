// Issues, their comments, attachments and relations.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import {
  clearable,
  filter,
  ISSUE,
  ISSUE_LINE,
  PAGE,
  page,
  PERSON_ID,
  priority,
  PROJECT_ID,
  row,
  some,
  TARGET_DATE,
  TEAM_ID,
  text,
  texts,
} from './api.ts';

const RELATIONS = ['blocks', 'duplicate', 'related', 'similar'] as const;
const id = text.describe('Issue id, or identifier such as ENG-42');
const description = some.describe('Text of the issue, in Markdown');
const stateId = some.describe('State id, from linear_list_workflow_states');
const CYCLE_ID = 'Cycle id, from linear_list_cycles';
const LABEL_IDS = 'Label ids, from linear_list_labels';
const PARENT_ID = 'Issue that this one is a part of, by id or identifier';
const ESTIMATE = 'Size in the points that the team uses';
const MORE =
  `creator{id name} children{nodes{id identifier title state{name}}} relations{nodes{id type relatedIssue{id identifier}}} attachments{nodes{id title url}} comments(first:50){nodes{id body createdAt user{id name} parent{id}} ${PAGE}}` as const;

export const issues: readonly Tool[] = [
  row(
    'linear_list_issues',
    `query($filter:IssueFilter,$first:Int,$after:String,$orderBy:PaginationOrderBy){issues(filter:$filter,first:$first,after:$after,orderBy:$orderBy){nodes{${ISSUE_LINE}} ${PAGE}}}`,
    'List issues that match a filter, newest first',
    () => ({
      filter: filter('{"team":{"key":{"eq":"ENG"}},"state":{"type":{"eq":"started"}}}'),
      ...page(),
      orderBy: z.enum(['createdAt', 'updatedAt']).optional().describe('createdAt by default; newest first'),
    }),
  ),
  row(
    'linear_search_issues',
    `query($term:String!,$first:Int,$after:String,$teamId:String){searchIssues(term:$term,first:$first,after:$after,teamId:$teamId){nodes{${ISSUE_LINE}} ${PAGE} totalCount}}`,
    'Search the text of issues, best matches first',
    () => ({
      term: text.describe('Words to search for'),
      ...page(),
      teamId: some.describe(`${TEAM_ID}; its issues come first`),
    }),
  ),
  row(
    'linear_get_issue',
    `query($id:String!){issue(id:$id){${ISSUE} ${MORE}}}`,
    'Get an issue with its comments, sub-issues, relations and attachments',
    () => ({ id }),
  ),
  row(
    'linear_create_issue',
    `mutation($input:IssueCreateInput!){issueCreate(input:$input){success issue{${ISSUE}}}}`,
    'Create an issue',
    () => ({
      teamId: text.describe(TEAM_ID),
      title: text.describe('Title, in one line'),
      description,
      priority: priority(),
      stateId,
      assigneeId: some.describe(PERSON_ID),
      labelIds: texts.describe(LABEL_IDS),
      projectId: some.describe(PROJECT_ID),
      cycleId: some.describe(CYCLE_ID),
      parentId: some.describe(PARENT_ID),
      dueDate: some.describe(TARGET_DATE),
      estimate: z.int().optional().describe(ESTIMATE),
    }),
  ),
  row(
    'linear_update_issue',
    `mutation($id:String!,$input:IssueUpdateInput!){issueUpdate(id:$id,input:$input){success issue{${ISSUE}}}}`,
    'Change an issue: arguments replace the current values, null clears a value',
    () => ({
      id,
      title: some.describe('New title'),
      description,
      priority: priority(),
      stateId,
      teamId: some.describe(`${TEAM_ID}; moves the issue there`),
      assigneeId: clearable(text).describe(PERSON_ID),
      labelIds: texts.describe(`${LABEL_IDS}; they replace all labels of the issue`),
      addedLabelIds: texts.describe('Label ids to add, from linear_list_labels'),
      removedLabelIds: texts.describe('Label ids to remove'),
      projectId: clearable(text).describe(PROJECT_ID),
      cycleId: clearable(text).describe(CYCLE_ID),
      parentId: clearable(text).describe(PARENT_ID),
      dueDate: clearable(text).describe(TARGET_DATE),
      estimate: clearable(z.int()).describe(ESTIMATE),
    }),
  ),
  row(
    'linear_archive_issue',
    'mutation($id:String!){issueArchive(id:$id){success}}',
    'Archive an issue',
    () => ({ id }),
    { access: 'destroy' },
  ),
  row(
    'linear_add_comment',
    'mutation($input:CommentCreateInput!){commentCreate(input:$input){success comment{id body url}}}',
    'Comment on an issue, or reply to a comment',
    () => ({
      issueId: id,
      body: text.describe('Text of the comment, in Markdown'),
      parentId: some.describe('Id of the comment to reply to, from linear_get_issue'),
    }),
  ),
  row(
    'linear_update_comment',
    'mutation($id:String!,$input:CommentUpdateInput!){commentUpdate(id:$id,input:$input){success comment{id body}}}',
    'Replace the text of a comment',
    () => ({
      id: text.describe('Comment id, from linear_get_issue'),
      body: text.describe('New text, in Markdown'),
    }),
  ),
  row(
    'linear_create_attachment',
    'mutation($input:AttachmentCreateInput!){attachmentCreate(input:$input){success attachment{id url title}}}',
    'Attach a link to an issue; the same url again updates the attachment',
    () => ({
      issueId: id,
      title: text.describe('Title of the attachment'),
      url: text.describe('Address that it links to'),
      subtitle: some.describe('Second line, below the title'),
      iconUrl: some.describe('Address of a small JPEG or PNG picture'),
      metadata: z
        .record(text, z.unknown())
        .optional()
        .describe('Texts and numbers to keep with it, such as {"build":42}'),
    }),
  ),
  row(
    'linear_create_issue_relation',
    'mutation($input:IssueRelationCreateInput!){issueRelationCreate(input:$input){success issueRelation{id type}}}',
    'Link two issues: one blocks, duplicates or is related to the other',
    () => ({
      issueId: id,
      relatedIssueId: id,
      type: z
        .enum(RELATIONS)
        .describe('With blocks or duplicate, issueId blocks or duplicates relatedIssueId'),
    }),
  ),
];

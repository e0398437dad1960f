// Issues, their comments, attachments and relations.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import {
  clearable,
  day,
  filter,
  ISSUE,
  ISSUE_LINE,
  PAGE,
  page,
  priority,
  row,
  some,
  text,
  texts,
} from './api.ts';

const RELATIONS = ['blocks', 'duplicate', 'related', 'similar'] as const;
const id = text.describe('Id, or identifier such as ENG-42');
const description = some.describe('Markdown');
const MORE =
  `creator{id name} children{nodes{id identifier title state{name}}} relations{nodes{id type relatedIssue{id identifier}}} attachments{nodes{id title url}} comments(first:50){nodes{id body createdAt user{id name} parent{id}} ${PAGE}}` as const;

export const issues: readonly Tool[] = [
  row(
    'linear_list_issues',
    `query($filter:IssueFilter,$first:Int,$after:String,$orderBy:PaginationOrderBy){issues(filter:$filter,first:$first,after:$after,orderBy:$orderBy){nodes{${ISSUE_LINE}} ${PAGE}}}`,
    'List issues that match a filter, newest first, paged by after',
    () => ({
      filter: filter('{"team":{"key":{"eq":"ENG"}},"state":{"type":{"eq":"started"}}}'),
      ...page,
      orderBy: z.enum(['createdAt', 'updatedAt']).optional(),
    }),
  ),
  row(
    'linear_search_issues',
    `query($term:String!,$first:Int,$after:String,$teamId:String){searchIssues(term:$term,first:$first,after:$after,teamId:$teamId){nodes{${ISSUE_LINE}} ${PAGE} totalCount}}`,
    'Search the text of issues, best first, paged by after',
    () => ({ term: text, ...page, teamId: some.describe('Puts the issues of this team first') }),
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
      teamId: text.describe('From linear_list_teams'),
      title: text,
      description,
      priority,
      stateId: some.describe('From linear_list_workflow_states'),
      assigneeId: some,
      labelIds: texts,
      projectId: some,
      cycleId: some,
      parentId: some.describe('The issue this one is a part of'),
      dueDate: day,
      estimate: z.int().optional(),
    }),
  ),
  row(
    'linear_update_issue',
    `mutation($id:String!,$input:IssueUpdateInput!){issueUpdate(id:$id,input:$input){success issue{${ISSUE}}}}`,
    'Change an issue: what is given replaces, null takes away',
    () => ({
      id,
      title: some,
      description,
      priority,
      stateId: some.describe('From linear_list_workflow_states'),
      teamId: some,
      assigneeId: clearable(text),
      labelIds: texts.describe('All its labels from now on'),
      addedLabelIds: texts,
      removedLabelIds: texts,
      projectId: clearable(text),
      cycleId: clearable(text),
      parentId: clearable(text),
      dueDate: clearable(text).describe('Such as 2026-03-31'),
      estimate: clearable(z.int()),
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
    'Comment on an issue, or answer a comment',
    () => ({
      issueId: id,
      body: text.describe('Markdown'),
      parentId: some.describe('The comment to answer'),
    }),
  ),
  row(
    'linear_update_comment',
    'mutation($id:String!,$input:CommentUpdateInput!){commentUpdate(id:$id,input:$input){success comment{id body}}}',
    'Replace the text of a comment',
    () => ({ id: text, body: text.describe('Markdown') }),
  ),
  row(
    'linear_create_attachment',
    'mutation($input:AttachmentCreateInput!){attachmentCreate(input:$input){success attachment{id url title}}}',
    'Attach a link to an issue; the same url again updates it',
    () => ({
      issueId: id,
      title: text,
      url: text,
      subtitle: some,
      iconUrl: some,
      metadata: z.record(text, z.unknown()).optional(),
    }),
  ),
  row(
    'linear_create_issue_relation',
    'mutation($input:IssueRelationCreateInput!){issueRelationCreate(input:$input){success issueRelation{id type}}}',
    'Link two issues: one blocks, duplicates or is related to the other',
    () => ({
      issueId: id,
      relatedIssueId: id,
      type: z.enum(RELATIONS).describe('What issueId is to the other'),
    }),
  ),
];

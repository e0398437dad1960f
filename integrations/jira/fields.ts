// What the tools of Jira have in common.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'camelCase', lists: 'comma' });

export const text = z.string();
export const some = text.optional();
export const issueIdOrKey = text.describe('Issue key such as WEB-12, or its id');
export const map = z.record(text, z.unknown());

export const ISSUE = '/rest/api/3/issue/{issueIdOrKey}';

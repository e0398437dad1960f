// The shape of a list of groups, in rules and in what a team connection is for. reference: Groups
import * as z from 'zod';
import { GROUP_NAME_CHARACTERS } from '../ports/groups.ts';

/** As many groups as a rule or a team connection names. */
const MAX_GROUPS = 50;

export const GroupNames = z.array(z.string().min(1).max(GROUP_NAME_CHARACTERS)).max(MAX_GROUPS);

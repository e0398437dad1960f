// Says what the audit rows about an approval share. reference: Audit; Approvals
import { pathPattern } from '../../record/model/path-pattern.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { Said } from '../../record/model/entry.ts';

type Shared = Pick<Said, 'userId' | 'integration' | 'tool' | 'access' | 'account' | 'owner' | 'approval'>;

export function sayOfApproval(row: ApprovalRecord): Shared {
  const { id: approval, user_id: userId, integration, access, account, owner } = row;
  return { userId, integration, tool: auditedTool(row), access, account, owner, approval };
}

/** A raw request is named by its method and its exact path, a tool by a name without a space. */
export const isRaw = ({ tool }: ApprovalRecord): boolean => tool.includes(' ');

function auditedTool(row: ApprovalRecord): string {
  if (!isRaw(row)) return row.tool;
  const [method = '', path = ''] = row.tool.split(' ');
  return `${method} ${pathPattern(path)}`;
}

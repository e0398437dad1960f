// Shows approvals to their person: the opened arguments, the files in them, and who asks. reference: Approvals
import type { Seal } from '../crypto/seal.ts';
import { clientActorId, isAgentKey, SESSION } from '../kit/actor.ts';
import { mainArgument } from '../kit/main-argument.ts';
import type { Registries } from '../kit/registries.ts';
import type { ApprovalRecord } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import type { ShownApproval, ShownFile } from './approval-operations.ts';
import { handlesIn, openArguments } from './shown-arguments.ts';
import { shownText } from '../kit/shown-text.ts';

/** Shows the approvals of one answer. Each name is looked up once for all of them. */
export type ShowApproval = (row: ApprovalRecord) => Promise<ShownApproval>;

/** Finds the kept files of a person. */
export interface FindFiles {
  find(userId: string, handle: string): Promise<{ name: string; mimeType: string; bytes: number } | null>;
}

type Needs = Pick<Ports, 'store' | 'texts'> & { files: FindFiles; registries: Registries; seal: Seal };

/** The agent writes the arguments, and the name of a file is behind a read of the blobs. */
const MAX_NAMED_FILES = 100;
const CLIENT = clientActorId('');

export function createShowApprovals({
  files,
  registries,
  seal,
  store,
  texts,
}: Needs): (userId: string) => ShowApproval {
  return function showApprovals(userId) {
    const clientName = remember(async (id) => (await store.clients.get(id))?.client_name ?? null);
    const fileNamed = remember(async (handle) => files.find(userId, handle), MAX_NAMED_FILES);

    async function showCaller({ caller, caller_name }: ApprovalRecord): Promise<ShownApproval['caller']> {
      const kind = kindOf(caller);
      const name = kind === 'client' ? await clientName(caller.slice(CLIENT.length)) : caller_name;
      return { id: caller, kind, name: shownText(name) };
    }

    async function showFiles(args: unknown): Promise<ShownFile[]> {
      return Promise.all(
        [...handlesIn(args)].slice(0, MAX_NAMED_FILES).map(async (handle) => {
          const file = await fileNamed(handle);
          return {
            handle,
            name: file?.name ?? null,
            mimeType: file?.mimeType ?? null,
            bytes: file?.bytes ?? null,
          };
        }),
      );
    }

    return async function showApproval(row) {
      const args = await openArguments(seal, row);
      const subject = mainArgument(args);
      const registered = await registries.tool(userId, row.tool);
      const tool = registered?.integration.name === row.integration ? registered.tool : null;
      if (tool !== null) await texts.of(row.integration);
      return {
        id: row.id,
        integration: row.integration,
        tool: row.tool,
        access: row.access,
        account: row.account,
        args,
        ...(subject === null ? {} : { subject }),
        caller: await showCaller(row),
        state: row.state,
        covers: row.covers,
        reason: row.reason,
        ...(row.because === null ? {} : { because: row.because }),
        files: await showFiles(args),
        description: tool?.description ?? null,
        request: tool?.request ?? null,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        decidedAt: row.decided_at,
        ranAt: row.ran_at,
        endedAt: row.ended_at,
      };
    };
  };
}

function kindOf(caller: string): ShownApproval['caller']['kind'] {
  if (isAgentKey({ id: caller })) return 'agent-key';
  if (caller.startsWith(CLIENT)) return 'client';
  return caller === SESSION.id ? 'session' : 'key';
}

/** Looks each name up once, and answers null beyond `most` names. */
function remember<T>(
  load: (name: string) => Promise<T | null>,
  most = Infinity,
): (name: string) => Promise<T | null> {
  const known = new Map<string, Promise<T | null>>();
  return async function look(name) {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= most) return null;
    const loading = load(name);
    known.set(name, loading);
    return loading;
  };
}

// Writes down everything that is stored of a person, without credentials. reference: Exporting a person
import type { Files } from '../files/files.ts';
import type { Jots } from '../jots/jots.ts';
import { parseLimits, parseRules } from '../kit/limits.ts';
import type { Ports } from '../ports/ports.ts';
import type { ApprovalRecord } from '../ports/policy.ts';
import type { Connection, User } from '../ports/records.ts';
import { roleOf } from '../auth/role.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type ExportNeeds = Pick<Ports, 'clock' | 'store'> & { files: Files; jots: Jots };
export type ExportPerson = (user: User) => AsyncIterable<Bytes>;

/** Each page is read when the one before it has been sent. */
const PAGE = 500;
const encoder = new TextEncoder();

/** Returns one JSON object as it is sent: a long record of calls is never held whole. */
export function createExportPerson({ clock, files, jots, store }: ExportNeeds): ExportPerson {
  async function* listCalls(userId: string) {
    for (let before: number | undefined; ;) {
      const rows = await store.audit.list({ user_id: userId, before, limit: PAGE });
      for (const { user_id: _, details: __, ...row } of rows) yield row;
      before = rows.at(-1)?.id;
      if (rows.length < PAGE) return;
    }
  }

  async function* listJots(userId: string) {
    for (const summary of await jots.list(userId)) {
      const found = await jots.get(userId, summary.name);
      const paths = [...(found?.manifest?.files.keys() ?? [])];
      yield { ...summary, paths };
    }
  }

  async function* listFiles(userId: string) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await files.list(userId, { offset, limit: PAGE });
      yield* page.files;
      if (offset + PAGE >= page.total) return;
    }
  }

  async function* listImports(userId: string) {
    for (const { settings: _, owner: __, created_by: ___, ...record } of await store.imports.list(userId))
      yield record;
  }

  return async function* exportPerson(user) {
    const { id, email, created_at, invited_at, signed_in_at } = user;
    const rules = (await store.policies.read(id, null)).own;
    const head = {
      exportedAt: clock.now(),
      person: { id, email, role: roleOf(user), created_at, invited_at, signed_in_at },
      rules: rules === null ? [] : parseRules(rules.rules),
    };
    yield encoder.encode(`{${Object.entries(head).map(toMember).join(',')}`);
    const lists: Record<string, AsyncIterable<object> | Iterable<object>> = {
      connections: (await store.connections.list(id)).map(describeConnection),
      namedKeys: (await store.agentKeys.list(id)).map(({ key_sha: _, user_id: __, limits, ...key }) => ({
        ...key,
        limits: parseLimits(limits),
      })),
      clients: (await store.refreshTokens.list(id, clock.now())).map(
        ({ client_id, scope, created_at: at }) => ({
          client_id,
          scope,
          created_at: at,
        }),
      ),
      approvals: (await store.approvals.list({ user_id: id, limit: PAGE })).map(describeApproval),
      imports: listImports(id),
      jots: listJots(id),
      files: listFiles(id),
      calls: listCalls(id),
    };
    for (const [name, list] of Object.entries(lists)) yield* toArrayMember(name, list);
    yield encoder.encode('}\n');
  };
}

const toMember = ([name, value]: [string, unknown]): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`;

async function* toArrayMember(name: string, list: AsyncIterable<object> | Iterable<object>) {
  yield encoder.encode(`,${JSON.stringify(name)}:[`);
  let separator = '';
  for await (const item of list) {
    yield encoder.encode(`${separator}\n${JSON.stringify(item)}`);
    separator = ',';
  }
  yield encoder.encode(']');
}

function describeConnection(row: Connection) {
  const { integration, label, way, scopes, status, created_at, updated_at, account_id, account_label } = row;
  return { integration, label, way, scopes, status, created_at, updated_at, account_id, account_label };
}

/** The arguments of the calls are sealed and stay out. */
function describeApproval(row: ApprovalRecord) {
  const { id, state, caller, caller_name, integration, tool, access, account, reason } = row;
  const { created_at, expires_at, decided_at, ran_at, ended_at } = row;
  const times = { created_at, expires_at, decided_at, ran_at, ended_at };
  return { id, state, caller, caller_name, integration, tool, access, account, reason, ...times };
}

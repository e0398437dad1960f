// Every door asks the gate what a caller may do. The gate asks the person where a rule requires it.
// reference: Rules; Approvals; decision: 038
import { grantIn } from '../../connections/model/config.ts';
import type { Access } from '../../kit/access.ts';
import { type Identity, serviceKeyIdOf } from '../../kit/actor.ts';
import type { Integration, Tool } from '../../kit/integration.ts';
import { portalPage } from '../../http/portal-page.ts';
import { canonicalJson } from '../../json/canonical.ts';
import type { CallCounts, TooManyCalls } from '../../memory/per-person.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AccountOwner, Connection } from '../../ports/records.ts';
import type { Approvals, Entry } from './approvals.ts';
import { accessOfCall } from './raw-access.ts';
import type { Outside } from './outside.ts';
import type { Permissions, PermissionsOf, Verdict } from './permissions.ts';

interface AccountOfCall {
  /** The label of the account, where the person has several. */
  account?: string | undefined;
  owner?: AccountOwner | undefined;
}

export interface ToolCall extends AccountOfCall {
  integration: Integration;
  connection: Connection | null;
  tool: Tool;
  /** The validated arguments. */
  args: unknown;
  permissions: Permissions;
  /** What the caller has read before, where that decided. */
  because?: string | undefined;
  /** The only approval that the call may use. Absent for a call that may ask. */
  approval?: string | undefined;
}

export interface RawCall extends AccountOfCall {
  integration: Integration;
  connection: Connection;
  /** The method and the exact path. */
  name: string;
  access: Access;
  /** Where the request goes to, and what the gateway adds to it beside the credential. */
  definition: { base: string; headers: readonly (readonly [name: string, value: string])[] };
  /** The rest of the request, as the person is shown it. */
  args: unknown;
  permissions: Permissions;
  because?: string | undefined;
}

export interface Gate {
  permissionsOf: PermissionsOf;
  outside: Outside;
  /** Counts a call against the limit of its key or client. */
  count(identity: Identity, permissions: Permissions): TooManyCalls | undefined;
  /** Uses the approval of exactly this call, or asks for one. */
  enter(identity: Identity, call: ToolCall): Promise<Entry>;
  /** The same for exactly this raw request. */
  enterRequest(identity: Identity, call: RawCall): Promise<Entry>;
  /** What an agent reads when a call is blocked. */
  blockedText(verdict: Verdict, what: string): string;
}

type Needs = Pick<Ports, 'config' | 'digest' | 'texts'> & {
  approvals: Approvals;
  outside: Outside;
  calls: CallCounts;
  permissionsOf: PermissionsOf;
};

export function createGate({ approvals, calls, config, digest, outside, permissionsOf, texts }: Needs): Gate {
  function enterCall(
    { userId, actor }: Identity,
    { integration, connection, account, owner, args, because, permissions }: ToolCall | RawCall,
    { name, access, definition }: { name: string; access: Access; definition: object },
    only?: string,
  ): Promise<Entry> {
    return approvals.enter({
      userId,
      actor,
      only,
      integration: integration.name,
      tool: name,
      access,
      definition: digest.sha256(canonicalJson(definition)),
      account: accountOf(connection, integration),
      accountLabel: account ?? connection?.account_label ?? null,
      owner: owner ?? null,
      args,
      because: because ?? null,
      revision: permissions.revision,
    });
  }

  return {
    permissionsOf,
    outside,

    count({ userId, actor }, { perMinute, perPerson }) {
      const over = perPerson === undefined ? undefined : calls.countFor(`${userId}\n`, perPerson);
      if (over !== undefined) return over;
      if (perMinute === undefined) return undefined;
      // The actors of a service key share its limit.
      const key = serviceKeyIdOf(actor) === null ? `${userId}\n${actor.id}` : actor.id;
      return calls.countFor(key, perMinute);
    },

    async enter(identity, call) {
      const { integration, tool, args } = call;
      // The person says yes to the description too, so it has to be the same on every process.
      await texts.of(integration.name);
      const { name, description, schema, request } = tool;
      const access = accessOfCall(integration, tool, args);
      const definition = {
        import: integration.imported?.id ?? '',
        digest: tool.digest ?? '',
        // Where the call goes, and what it always carries.
        api: integration.api,
        name,
        description,
        access,
        schema,
        request,
      };
      return enterCall(identity, call, { name, access, definition }, call.approval);
    },

    async enterRequest(identity, call) {
      const { name, access, integration } = call;
      const definition = { import: integration.imported?.id ?? '', access, raw: call.definition };
      return enterCall(identity, call, { name, access, definition });
    },

    blockedText({ by, because }, what) {
      if (because !== undefined)
        return `${because}, and the rules do not allow ${what} after content from outside. Do not try it another way. Tell the person what you were about to do.`;
      switch (by) {
        case 'everyone':
          return `An administrator of this gateway does not allow ${what}. Do not try it another way.`;
        case 'service':
          return `The product that you act for does not allow ${what}. Do not try it another way.`;
        case 'person':
          return `The person does not allow ${what}. Do not try it another way. They can change their rules at ${portalPage(config, '/rules')}.`;
        default:
          return `This key or client may not use ${what}. Do not try it another way. The person decides at ${portalPage(config, '/agents')} what it may do.`;
      }
    },
  };
}

/** Names the account of a connection, and where its calls go. Another sign-in has another name. */
export function accountOf(connection: Connection | null, integration: Integration): string {
  if (connection === null) return '';
  const { account, account_id, config, created_at, way } = connection;
  return canonicalJson({
    account,
    account_id,
    config,
    created_at,
    way,
    grant: grantIn(connection, integration),
  });
}

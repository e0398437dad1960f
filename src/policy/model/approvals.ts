// Asks a person about a call, and lets exactly the call that was approved run. reference: Approvals; decision: 038
import {
  APPROVAL_ARGUMENT_CHARACTERS,
  APPROVAL_RUN_SECONDS,
  APPROVALS_PER_CALLER,
  QUESTION_BYTES_PER_PERSON,
  QUESTIONS_PER_PERSON,
} from './limits.ts';
import type { Place, Seal } from '../../crypto/seal.ts';
import { portalPage } from '../../http/portal-page.ts';
import type { Access } from '../../kit/access.ts';
import type { Actor } from '../../kit/actor.ts';
import type { Notify } from '../../kit/notice.ts';
import { canonicalJson } from '../../json/canonical.ts';
import { writeJson } from '../../json/exact-integers.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AccountOwner } from '../../ports/records.ts';
import { endOf, isOver } from './open-approval.ts';
import type { Runs } from './runs.ts';
import type { SettleApprovals } from './settle.ts';

/** A call that needs a yes. */
export interface AskedCall {
  userId: string;
  actor: Actor;
  integration: string;
  /** The full name of a tool, or the method and path of a raw request. */
  tool: string;
  access: Access;
  /** Names the definition of the tool: a changed one is another call. */
  definition: string;
  /** Names the stored connection. Empty for an integration without a connection. */
  account: string;
  accountLabel: string | null;
  owner: AccountOwner | null;
  /** The validated arguments. */
  args: unknown;
  /** What the caller has read before, where the person is asked for that reason. */
  because: string | null;
  /** The revision of the rules that the call was judged under. */
  revision: string;
  /** The only approval that it may use. Absent for a call that may ask. */
  only?: string | undefined;
}

export interface ApprovalLink {
  id: string;
  url: string;
  expiresAt: number;
}

/** How an approved call ended. `unknown`: it was cut off and may have taken effect. */
export type RunEnd = 'done' | 'failed' | 'unknown';

export type Entry =
  /** This call has the approval and may run now. `finish` must follow. */
  | { kind: 'run'; approvalId: string; finish: (end: RunEnd) => Promise<void> }
  | { kind: 'asked'; approval: ApprovalLink; message: string }
  | { kind: 'denied'; approvalId: string; message: string }
  /** Nothing was asked. */
  | { kind: 'refused'; message: string };

/** The approval that the entry is about, if there is one. */
export function approvalIdOf(entry: Entry): string | null {
  switch (entry.kind) {
    case 'asked':
      return entry.approval.id;
    case 'refused':
      return null;
    default:
      return entry.approvalId;
  }
}

export interface Approvals {
  /**
   * Uses the approval of exactly this call, or asks for one. Of any number of parallel calls exactly one runs. A call that may use
   * one approval only is never asked about.
   */
  enter(call: AskedCall): Promise<Entry>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'random' | 'store'> & {
  notify: Notify;
  seal: Seal;
  runs: Runs;
  settleApprovals: SettleApprovals;
};

/** The place that the shown arguments are bound to. */
export const placeOfApproval = ({ user_id, integration, id }: ApprovalRecord): Place => [
  user_id,
  integration,
  `approval:${id}`,
];

const MOST = {
  ofCaller: APPROVALS_PER_CALLER,
  ofPerson: QUESTIONS_PER_PERSON,
  sealedOfPerson: QUESTION_BYTES_PER_PERSON,
};

const MAX_TRIES = 5;
const MAX_REASON_CHARACTERS = 200;

export function createApprovals(deps: Needs): Approvals {
  const { clock, config, digest, notify, random, store, seal, runs, settleApprovals } = deps;

  function digestOf({ userId, actor, tool, definition, account, args, revision }: AskedCall): string {
    return digest.sha256(
      canonicalJson({ userId, caller: actor.id, tool, definition, account, args, revision }),
    );
  }

  function linkOf({ id, expires_at }: ApprovalRecord): ApprovalLink {
    return { id, url: portalPage(config, `/approvals/${id}`), expiresAt: expires_at };
  }

  async function ask(call: AskedCall, key: string): Promise<Entry | null> {
    const now = clock.now();
    const shown = writeJson(call.args);
    if (shown.length > APPROVAL_ARGUMENT_CHARACTERS)
      return {
        kind: 'refused',
        message: `A person has to approve ${call.tool}, and its arguments are too long to be read. Send large contents as file:<handle>`,
      };
    const id = random.uuid();
    const record: ApprovalRecord = {
      id,
      user_id: call.userId,
      slot: key,
      digest: key,
      state: 'pending',
      covers: null,
      caller: call.actor.id,
      caller_name: call.actor.name,
      integration: call.integration,
      tool: call.tool,
      access: call.access,
      account: call.accountLabel,
      owner: call.owner,
      sealed: null,
      because: call.because,
      reason: null,
      run: null,
      running_until: null,
      created_at: now,
      expires_at: now + config.APPROVAL_TTL_SECONDS,
      decided_at: null,
      ran_at: null,
      ended_at: null,
    };
    const sealed = await seal.seal(shown, placeOfApproval(record));
    const before = await store.approvals.lastEnded(call.userId, key);
    switch (await store.approvals.ask({ ...record, sealed }, MOST)) {
      case 'asked':
        await notify({
          kind: 'approval',
          userId: call.userId,
          about: `approval ${id}`,
          page: `/approvals/${id}`,
          // The name of a raw request has its path, which may say something.
          name: call.integration,
          by: call.actor.name,
          until: record.expires_at,
        });
        return asked(record, before);
      case 'taken':
        return null;
      case 'full':
        return {
          kind: 'refused',
          message: `${APPROVALS_PER_CALLER} of your calls wait for the person already. Try again when some are decided`,
        };
      case 'person-full':
        // Questions that nobody answered in time count until they are ended.
        if (await settleApprovals.ofPerson(call.userId)) return null;
        return {
          kind: 'refused',
          message: `The calls that wait for the person are ${QUESTIONS_PER_PERSON}, or too large together. Try again when some are decided`,
        };
    }
  }

  function asked(record: ApprovalRecord, before: ApprovalRecord | null): Entry {
    const approval = linkOf(record);
    const message = `A person has to approve ${record.tool}${sayReason(record)}. Show them ${approval.url} and, after their yes, send exactly the same call again.${describeLast(before)}`;
    return { kind: 'asked', approval, message };
  }

  /** Returns null when somebody else has changed the row meanwhile. */
  async function use(row: ApprovalRecord): Promise<Entry | null> {
    const now = clock.now();
    if (isOver(row, now)) {
      await settleApprovals.one(row);
      return null;
    }
    switch (row.state) {
      case 'pending':
        return asked(row, await store.approvals.lastEnded(row.user_id, row.digest));
      case 'denied':
        return { kind: 'denied', approvalId: row.id, message: deniedText(row) };
      case 'running': {
        const message = `The approved call of ${row.tool} is running already. It was not run twice`;
        return { kind: 'asked', approval: linkOf(row), message };
      }
      case 'approved':
        return row.covers === 'hour'
          ? { kind: 'run', approvalId: row.id, finish: async () => {} }
          : claim(row, now);
      default:
        return null;
    }
  }

  async function claim(row: ApprovalRecord, now: number): Promise<Entry | null> {
    const run = random.uuid();
    const running_until = now + APPROVAL_RUN_SECONDS;
    const claimed = { state: 'running', run, running_until, ran_at: now } as const;
    if (!(await store.approvals.move(row, claimed))) return null;
    const running = { ...row, ...claimed };
    const stop = runs.begin(row, run);
    return {
      kind: 'run',
      approvalId: row.id,
      async finish(state) {
        stop();
        const end = { ...endOf(running, clock.now()), state };
        // A process that was stopped for long may find its run given up as lost. Its end is known now.
        if (!(await store.approvals.move(running, end)) && state !== 'unknown')
          await store.approvals.move({ ...running, state: 'unknown' }, end);
      },
    };
  }

  async function useOrAsk(call: AskedCall, key: string): Promise<Entry | null> {
    const row = await store.approvals.bySlot(call.userId, key);
    return row === null ? ask(call, key) : use(row);
  }

  /** The person may have said yes to a call that this one no longer is. Such a yes helps nobody, so it ends. */
  async function useOnly(call: AskedCall, key: string, id: string): Promise<Entry | null> {
    const row = await store.approvals.get(call.userId, id);
    if (row === null)
      return { kind: 'refused', message: `The approval of ${call.tool} is not kept any more` };
    if (row.ended_at === null && row.digest === key && row.state !== 'expired') return use(row);
    if (row.ended_at === null && row.state !== 'running') await settleApprovals.one(row);
    const message =
      row.digest === key
        ? `The approval of ${call.tool} is used up or over. The call was not run. Send it again to ask anew`
        : `${call.tool}, its account or the rules have changed since the person was asked, so it was not run. Send the call again to ask anew`;
    return { kind: 'asked', approval: linkOf(row), message };
  }

  return {
    async enter(call) {
      const key = digestOf(call);
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const entry = await (call.only === undefined ? useOrAsk(call, key) : useOnly(call, key, call.only));
        if (entry !== null) return entry;
      }
      return {
        kind: 'refused',
        message: `The approval of ${call.tool} is being changed. Send the call again`,
      };
    },
  };
}

export function deniedText({ tool, reason }: ApprovalRecord): string {
  const word = reason === null || reason === '' ? '' : ` They say: ${reason.slice(0, MAX_REASON_CHARACTERS)}`;
  return `The person has said no to this call of ${tool}. Do not try it another way.${word}`;
}

/** Says why the person is asked about a call that usually runs, behind the name of its tool. */
export const sayReason = ({ because }: { because?: string | null | undefined }): string =>
  because === null || because === undefined ? '' : `, because ${because} and its content comes from outside`;

function describeLast(before: ApprovalRecord | null): string {
  switch (before?.state) {
    case 'done':
      return ' The same call has already run once with an approval; ask again only if it has to run a second time.';
    case 'failed':
      return ' The same call has run with an approval before, and failed.';
    case 'unknown':
      return ' It is not known whether the same call took effect before: it was cut off while it was running. Check first.';
    default:
      return '';
  }
}

// Serves /api/scripts and /api/script-runs: what people see of their scripts in the portal. reference: Scripts
import { type Context, Hono } from 'hono';
import type { IsAdministrator } from '../auth/administrators.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { RunningWork } from '../auth/running-work.ts';
import type { Execute } from '../calls/execute.ts';
import { toExecutionResult } from '../calls/execution-result.ts';
import type { Seal } from '../crypto/seal.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { parseExactIntegers, writeJson } from '../json/exact-integers.ts';
import { isObject, parseJson } from '../json/json.ts';
import { type Identify, SESSION } from '../kit/actor.ts';
import { readForm } from '../kit/read-form.ts';
import type { Registries } from '../kit/registries.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import { describeIssues } from '../kit/validation.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import type { ScriptCallRecord, ScriptRecord, ScriptRunRecord } from '../ports/scripts.ts';
import { EVERYONE } from '../ports/store.ts';
import { nearestForBatch, type ToolboxOf } from '../search/toolbox.ts';
import { openCall, openRun } from './kept-run.ts';
import { LISTED_REVIEWS, LISTED_RUNS } from './limits.ts';
import { NO_SCRIPT, toolNameOf } from './names.ts';
import {
  type DetailedRun,
  type DetailedScript,
  type Ran,
  ReviewForm,
  type RunList,
  ScriptForm,
  type ScriptList,
  ScriptQuery,
  type ShownReview,
  type ShownRun,
  type ShownRunCall,
  type ShownScript,
} from './operations.ts';
import type { SavedScripts } from './saved-scripts.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & {
  execute: Execute;
  identify: Identify;
  isAdministrator: IsAdministrator;
  memoryBudget: MemoryBudget;
  registries: Registries;
  requireTool: RequireTool;
  runningWork: RunningWork;
  savedScripts: SavedScripts;
  seal: Seal;
  toolboxOf: ToolboxOf;
};

const NO_RUN_OF_YOURS = 'You have no such run. Runs are kept for a day';
const NO_REVIEW = 'No script of this id waits for an administrator';

export function createScriptRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, execute, identify, isAdministrator, memoryBudget, registries, requireTool } = deps;
  const { runningWork, savedScripts, seal, store, toolboxOf } = deps;
  const signedIn = requirePortalUser(identify);
  const inPortal = requirePortalUser(identify, { only: 'sessions' });
  const app = new Hono<PortalEnv>();

  /** A gateway that runs no scripts has no such tool, and no rule for it. */
  async function require(c: Context<PortalEnv>, tool: string): Promise<void> {
    if (registries.builtIn.tool(tool) !== null) await requireTool(c.var, tool);
  }

  async function isReviewer(c: Context<PortalEnv>): Promise<boolean> {
    return c.var.actor.id === SESSION.id && isAdministrator(await loadUser(c, deps));
  }

  async function requireReviewer(c: Context<PortalEnv>): Promise<void> {
    if (await isReviewer(c)) return;
    throw new HttpError(403, {
      error: 'Only an administrator who is signed in to the portal decides what the team has',
    });
  }

  /** Returns the versions of a script, the newest first. */
  async function requireVersions(c: Context<PortalEnv>): Promise<[ScriptRecord, ...ScriptRecord[]]> {
    const name = c.req.param('name') ?? '';
    const query = ScriptQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const { for: whose } = query.data;
    const owners =
      whose === undefined ? [c.var.userId, EVERYONE] : [whose === 'me' ? c.var.userId : EVERYONE];
    for (const owner of owners) {
      const [first, ...others] = await store.scripts.versions(owner, name);
      if (first !== undefined) return [first, ...others];
    }
    throw new HttpError(404, { error: NO_SCRIPT });
  }

  async function showReview(record: ScriptRecord): Promise<ShownReview> {
    const { id, name, version, description, code, created_by, created_at } = record;
    const author = await store.users.byId(created_by);
    return {
      id,
      name,
      version,
      description,
      code,
      args: readSchema(record),
      author: author?.email ?? null,
      createdAt: created_at,
    };
  }

  app.get('/api/scripts', signedIn, async (c) => {
    await require(c, 'script_list');
    const scripts = (await savedScripts.list(c.var.userId)).map(show);
    if (!(await isReviewer(c))) return c.json({ scripts } satisfies ScriptList);
    const reviews = await Promise.all((await store.scripts.pending(LISTED_REVIEWS)).map(showReview));
    return c.json({ scripts, reviews } satisfies ScriptList);
  });

  app.post('/api/scripts', signedIn, async (c) => {
    await require(c, 'script_save');
    const { id: userId } = await loadUser(c, deps);
    const saved = await savedScripts.save(userId, { args: undefined, ...(await readForm(c, ScriptForm)) });
    if (saved.kind === 'saved') return c.json(show(saved.script) satisfies ShownScript, 201);
    throw new HttpError(saved.reason === 'schema' ? 400 : 409, { error: saved.message });
  });

  app.get('/api/scripts/:name', signedIn, async (c) => {
    await require(c, 'script_list');
    const versions = await requireVersions(c);
    const [newest] = versions;
    return c.json({
      ...show(newest),
      code: newest.code,
      args: readSchema(newest),
      versions: versions.map(({ version, created_at, shared, code }) => ({
        version,
        createdAt: created_at,
        shared,
        code,
      })),
    } satisfies DetailedScript);
  });

  app.delete('/api/scripts/:name', signedIn, async (c) => {
    await require(c, 'script_delete');
    const [{ owner, name }] = await requireVersions(c);
    if (owner === EVERYONE) await requireReviewer(c);
    await store.scripts.delete(owner, name);
    return c.json({ success: true } satisfies Success);
  });

  app.post('/api/scripts/:name/share', signedIn, async (c) => {
    await require(c, 'script_save');
    const [newest] = await store.scripts.versions(c.var.userId, c.req.param('name'));
    if (newest === undefined) throw new HttpError(404, { error: NO_SCRIPT });
    if (newest.shared === null) await store.scripts.share(newest, 'pending');
    return c.json(show({ ...newest, shared: newest.shared ?? 'pending' }) satisfies ShownScript);
  });

  app.post('/api/script-reviews/:id', inPortal, async (c) => {
    await requireReviewer(c);
    const { accept } = await readForm(c, ReviewForm);
    const waiting = (await store.scripts.pending(LISTED_REVIEWS)).find(({ id }) => id === c.req.param('id'));
    if (waiting === undefined || !(await store.scripts.share(waiting, accept ? 'reviewed' : null)))
      throw new HttpError(404, { error: NO_REVIEW });
    if (accept && (await savedScripts.accept(waiting, c.var.userId)) === null) {
      await store.scripts.share({ ...waiting, shared: 'reviewed' }, 'pending');
      throw new HttpError(409, { error: 'The team has too many scripts. Delete one first' });
    }
    return c.json({ success: true } satisfies Success);
  });

  app.get('/api/script-runs', signedIn, async (c) => {
    await require(c, 'script_list');
    const runs = await store.scriptRuns.list(c.var.userId, LISTED_RUNS);
    return c.json({ runs: runs.map((run) => showRun(run, clock.now())) } satisfies RunList);
  });

  async function requireRun(c: Context<PortalEnv>) {
    const row = await store.scriptRuns.get(c.var.userId, c.req.param('id') ?? '');
    const kept = row === null || row.expires_at <= clock.now() ? null : await openRun(seal, row);
    if (row === null || kept === null) throw new HttpError(404, { error: NO_RUN_OF_YOURS });
    return { row, kept };
  }

  async function showCall(call: ScriptCallRecord): Promise<ShownRunCall[]> {
    const kept = await openCall(seal, call);
    if (kept === null) return [];
    const { answer, approval, ended, integration, line, name, started, tool } = kept;
    return [
      {
        index: call.position,
        tool: tool ?? name,
        integration,
        state: answer === null ? 'waiting' : answer.ok ? 'ok' : 'error',
        error: answer === null || answer.ok ? null : `${answer.code}: ${answer.message}`,
        line,
        startedAt: started,
        endedAt: answer === null ? null : ended,
        approval,
      },
    ];
  }

  app.get('/api/script-runs/:id', signedIn, async (c) => {
    await require(c, 'script_list');
    const { row, kept } = await requireRun(c);
    const calls = await store.scriptRuns.calls(row.user_id, row.id);
    const { callerName, code, end, input, log } = kept;
    return c.json({
      ...showRun(row, clock.now()),
      code,
      input: parseJson(input) ?? null,
      callerName,
      log,
      ...(end?.kind === 'returned' && end.json !== null ? { result: parseJson(end.json) ?? null } : {}),
      error: end?.kind === 'failed' ? end.message : null,
      timeline: (await Promise.all(calls.map(showCall))).flat(),
    } satisfies DetailedRun);
  });

  app.post('/api/script-runs/:id/again', inPortal, async (c) => {
    const { row, kept } = await requireRun(c);
    const { userId, actor } = c.var;
    const work = runningWork.begin(userId);
    const lease = memoryBudget.open(userId);
    try {
      const { ended } = work;
      const signal = work.until(c.req.raw.signal);
      const caller = { userId, actor, signal, ended, lease };
      const input = parseExactIntegers(kept.input);
      // A saved script runs as it is today.
      const call =
        row.script === null
          ? { tool: 'script_run', args: { code: kept.code, input } }
          : { tool: toolNameOf(row.script), args: input };
      const outcome = await execute(caller, { ...call, within: null });
      const result = await toExecutionResult(outcome, nearestForBatch(toolboxOf, caller));
      return c.body(writeJson(result satisfies Ran), 200, { 'Content-Type': 'application/json' });
    } finally {
      lease.close();
      work.end();
    }
  });

  return app;
}

function readSchema({ args }: ScriptRecord): Record<string, unknown> | null {
  const read = args === null ? null : parseJson(args);
  return isObject(read) ? read : null;
}

const show = ({ name, description, version, owner, shared, created_at }: ScriptRecord): ShownScript => ({
  name,
  tool: toolNameOf(name),
  description,
  version,
  for: owner === EVERYONE ? 'everyone' : 'me',
  shared,
  createdAt: created_at,
});

function showRun(row: ScriptRunRecord, now: number): ShownRun {
  const { id, script, script_version, state, caller, calls, created_at, updated_at, expires_at } = row;
  const isLost = state === 'running' && (row.running_until ?? 0) <= now;
  return {
    id,
    script,
    version: script_version,
    state: isLost ? 'waiting' : state,
    caller,
    calls,
    createdAt: created_at,
    updatedAt: updated_at,
    expiresAt: expires_at,
  };
}

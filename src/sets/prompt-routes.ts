// Serves /api/sets/:name/prompts: what a server lists now, beside what somebody has accepted. reference: Prompts and resources
import { Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import type { Identify } from '../kit/actor.ts';
import { readForm } from '../kit/read-form.ts';
import { parseServers, type ServedPrompt, writeServers } from '../kit/set-servers.ts';
import type { Ports } from '../ports/ports.ts';
import type { SetPrompts } from './model/set-prompts.ts';
import { type CheckedPrompts, PromptCheck } from './operations.ts';
import { callerOf, type OwnSets } from './own-sets.ts';

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & {
  identify: Identify;
  ownSets: OwnSets;
  setPrompts: SetPrompts;
};

export function createPromptRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, identify, ownSets, random, setPrompts, store } = deps;
  const app = new Hono<PortalEnv>();

  app.post('/api/sets/:name/prompts', requirePortalUser(identify), async (c) => {
    const { import: name, accept } = await readForm(c, PromptCheck);
    const set = await ownSets.requireEditable(c);
    const servers = parseServers(set.servers);
    const accepted = servers.find((server) => server.import === name)?.prompts ?? null;
    if (accepted === null)
      throw new HttpError(400, { error: `The set takes no prompts of ${JSON.stringify(name)}` });
    const { prompts, digest } = await setPrompts.read(callerOf(c), name);
    if (accept === undefined)
      return c.json({ digest, prompts: compare(accepted, prompts) } satisfies CheckedPrompts);
    if (accept !== digest)
      throw new HttpError(409, { error: 'The server lists something else now. Look at it again' });
    const next = servers.map((server) =>
      server.import === name ? { ...server, prompts: [...prompts] } : server,
    );
    const changed = { servers: writeServers(next), updated_at: clock.now(), version: random.uuid() };
    if (!(await store.sets.update(set.version, { ...set, ...changed })))
      throw new HttpError(409, { error: 'Somebody else is changing this set. Try again' });
    return c.json({ digest, prompts: compare(prompts, prompts) } satisfies CheckedPrompts);
  });

  return app;
}

function compare(
  accepted: readonly ServedPrompt[],
  found: readonly ServedPrompt[],
): CheckedPrompts['prompts'] {
  const before = new Map(accepted.map((prompt) => [prompt.source, prompt]));
  const now = new Set(found.map(({ source }) => source));
  return [
    ...found.map((prompt) => {
      const old = before.get(prompt.source);
      const { source: _, ...shown } = prompt;
      if (old === undefined) return { ...shown, state: 'new' as const };
      if (JSON.stringify(old) === JSON.stringify(prompt)) return { ...shown, state: 'accepted' as const };
      const { source: __, ...was } = old;
      return { ...shown, state: 'changed' as const, before: was };
    }),
    ...accepted
      .filter(({ source }) => !now.has(source))
      .map(({ source: _, ...prompt }) => ({ ...prompt, state: 'gone' as const })),
  ];
}

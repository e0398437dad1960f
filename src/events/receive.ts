// Serves /hooks/<random>: what a service sends is stored before it is answered. reference: Webhooks
import { type Context, Hono } from 'hono';
import type { Seal } from '../crypto/seal.ts';
import { HttpError } from '../http/errors.ts';
import { isObject, parseJson } from '../json/json.ts';
import { compileSelect } from '../json/select.ts';
import type { HookRecipe } from '../kit/hooks.ts';
import type { Registry } from '../kit/registry.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import { createWindows } from '../memory/windows.ts';
import type { EventSubscription } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import type { SharedCounts } from '../ports/shared-counts.ts';
import { type Kept, openKept, sealKept } from './kept.ts';
import { DELIVERIES_PER_MINUTE, HOOK_BYTES, REFUSAL_NOTE_SECONDS } from './limits.ts';
import { recipeOf } from './recipes.ts';
import { checkDelivery, type Delivery, textAt } from './signature.ts';
import type { EventWriter } from './writer.ts';

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'random' | 'store'> & {
  eventWriter: EventWriter;
  memoryBudget: MemoryBudget;
  registry: Registry;
  seal: Seal;
  sharedCounts?: SharedCounts | undefined;
};

const REFUSALS = {
  unsigned: 'The delivery has no signature',
  wrong: 'The signature is wrong: the sender has another secret',
  old: 'The delivery was signed more than five minutes ago',
  'no-secret': 'The secret of the sender is not known here yet',
} as const;

const decoder = new TextDecoder();
const MAX_CHALLENGE = 1_000;
/** The subscriptions whose sealed part a process keeps opened, the ones that were delivered to last. */
const MAX_OPENED = 200;

export function createHookRoutes(deps: Needs): Hono {
  const { clock, config, digest, eventWriter, memoryBudget, random, registry, seal, store } = deps;
  const delivered = createWindows(deps, 'hook deliveries', 60);
  const refused = createWindows(deps, 'hook refusals', REFUSAL_NOTE_SECONDS);
  const app = new Hono();
  const opened = new Map<string, { sealed: string; kept: Kept }>();

  /** A flood of deliveries opens the same text once. What was sealed anew is opened anew. */
  async function openOnce(row: EventSubscription): Promise<Kept | null> {
    const last = opened.get(row.id);
    opened.delete(row.id);
    const kept = last?.sealed === row.sealed ? last.kept : await openKept(seal, row);
    if (kept === null) return null;
    opened.set(row.id, { sealed: row.sealed, kept });
    const [oldest] = opened.keys();
    if (opened.size > MAX_OPENED && oldest !== undefined) opened.delete(oldest);
    return kept;
  }

  /** Any text takes the same way to its 404. */
  async function requireHook(
    c: Context,
  ): Promise<{ row: EventSubscription; kept: Kept; recipe: HookRecipe }> {
    const row = await store.events.byAddress(digest.sha256(c.req.param('address') ?? ''));
    const kept = row === null || row.ended !== null ? null : await openOnce(row);
    const recipe = row === null ? null : recipeOf(registry, row);
    if (row === null || kept === null || recipe === null)
      throw new HttpError(404, { error: 'There is no such address' });
    return { row, kept, recipe };
  }

  async function refuse({ id }: EventSubscription, why: keyof typeof REFUSALS): Promise<never> {
    // A flood of forgeries writes once a minute.
    if (refused.add(id, 1) === 1) await store.events.noteRefused(id, clock.now(), REFUSALS[why]);
    throw new HttpError(401, { error: REFUSALS[why] });
  }

  async function readBytes(c: Context, userId: string): Promise<Uint8Array<ArrayBuffer>> {
    const tooLarge = () =>
      new HttpError(413, { error: `The request body is larger than ${HOOK_BYTES} bytes` });
    if (Number(c.req.header('content-length') ?? 0) > HOOK_BYTES) throw tooLarge();
    const lease = memoryBudget.open(userId);
    try {
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const piece of c.req.raw.body ?? []) {
        size += piece.byteLength;
        if (size > HOOK_BYTES) throw tooLarge();
        pieces.push(piece);
        lease.chargeRead(piece);
        await lease.waitForSpace(c.req.raw.signal);
      }
      const bytes = new Uint8Array(size);
      let at = 0;
      for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.byteLength;
      }
      return bytes;
    } catch (error) {
      if (error instanceof HttpError) throw error;
      throw new HttpError(400, { error: 'The request body broke off' });
    } finally {
      lease.close();
    }
  }

  /** A sender gives its secret once. Whoever comes later with another one is refused. */
  async function takeSecret(row: EventSubscription, kept: Kept, secret: string): Promise<boolean> {
    if (kept.secrets.length > 0) return false;
    const next = await sealKept(seal, row, { ...kept, secrets: [{ text: secret }] });
    return store.events.swapSealed(row.id, row.sealed, next);
  }

  /** What a delivery has for the subscription. The name of each item is what its service calls it. */
  async function itemsOf(
    { row, kept, recipe }: Awaited<ReturnType<typeof requireHook>>,
    delivery: Delivery,
    text: string,
  ): Promise<{ name: string; type: string; payload: string }[]> {
    const all: readonly unknown[] =
      recipe.isList === true && Array.isArray(delivery.json) ? delivery.json : [delivery.json];
    const filter = kept.filter === undefined ? null : await compileSelect(kept.filter);
    return all.flatMap((json) => {
      const one = { ...delivery, json };
      const type = recipe.type.flatMap((place) => textAt(place, one) ?? []).join('.') || row.event;
      const wanted = row.event;
      const isWanted =
        row.integration === 'webhook' || wanted === '*' || type === wanted || type.startsWith(`${wanted}.`);
      if (!isWanted || (filter !== null && !isTrue(filter(json).value))) return [];
      const payload = all.length === 1 && recipe.isList !== true ? text : JSON.stringify(json);
      const given = recipe.id?.map((place) => textAt(place, one)).find((each) => each !== null);
      // Equal bodies of a sender that names nothing are several events.
      const name =
        given ?? (recipe.check.kind === 'token' ? random.uuid() : `body ${digest.sha256(payload)}`);
      return [{ name, type, payload }];
    });
  }

  app.get('/hooks/:address', async (c) => {
    const { recipe } = await requireHook(c);
    const challenge = c.req.query('challenge');
    if (recipe.handshake !== 'get-challenge' || challenge === undefined || challenge.length > MAX_CHALLENGE)
      throw new HttpError(405, { error: 'Deliveries come by POST' }, { Allow: 'POST' });
    return c.text(challenge, 200, { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  });

  app.post('/hooks/:address', async (c) => {
    const hook = await requireHook(c);
    const { row, kept, recipe } = hook;
    if (delivered.count(row.id) >= DELIVERIES_PER_MINUTE)
      throw new HttpError(
        429,
        { error: `More than ${DELIVERIES_PER_MINUTE} deliveries in a minute` },
        { 'Retry-After': String(delivered.secondsLeft(row.id)) },
      );
    const offered = c.req.header('x-hook-secret');
    if (recipe.handshake === 'hook-secret' && offered !== undefined && offered.length <= MAX_CHALLENGE) {
      if (!(await takeSecret(row, kept, offered))) return refuse(row, 'wrong');
      return c.body(null, 200, { 'X-Hook-Secret': offered });
    }
    const bytes = await readBytes(c, row.user_id);
    const text = decoder.decode(bytes);
    const json = parseJson(text);
    const now = clock.now();
    const delivery: Delivery = {
      method: 'POST',
      url: `${config.SERVER_PUBLIC_URL}/hooks/${c.req.param('address')}`,
      header: (name) => c.req.header(name),
      bytes,
      json,
    };
    const secrets = kept.secrets.flatMap(({ text: secret, until = Infinity }) =>
      until > now ? [secret] : [],
    );
    const isAsking =
      recipe.handshake === 'challenge' && isObject(json) && json['type'] === 'url_verification';
    const wrong = await checkDelivery(recipe, delivery, secrets, now);
    // A service asks for the address before it can be told the secret. The answer tells it nothing new.
    if (wrong !== null && !(isAsking && wrong === 'no-secret')) return refuse(row, wrong);
    if (isAsking)
      return c.text((textAt({ at: '/challenge' }, delivery) ?? '').slice(0, MAX_CHALLENGE), 200, {
        'X-Content-Type-Options': 'nosniff',
      });
    delivered.add(row.id, 1);
    const items = await itemsOf(hook, delivery, text);
    const drafts = await Promise.all(
      items.map(({ name, type, payload }) => eventWriter.draft(row, name, { type, at: now }, payload)),
    );
    await eventWriter.write(drafts);
    return c.json({ received: true });
  });

  return app;
}

/** As JMESPath sees it: nothing, an empty text, list or object, and false are not true. */
function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

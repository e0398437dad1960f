// Serves /api/events: the subscriptions and events of the signed-in person, for the portal. reference: Event subscriptions
import { type Context, Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { readText } from '../http/request-body.ts';
import { parseJson } from '../json/json.ts';
import type { Identify } from '../kit/actor.ts';
import { readForm } from '../kit/read-form.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import { validQuery } from '../kit/valid-query.ts';
import { describeIssues } from '../kit/validation.ts';
import type { EventAddresses } from './addresses.ts';
import {
  DeliverToForm,
  type EventLog,
  type EventShown,
  type EventsRead,
  type EventTrial,
  type EventTypes,
  LogQuery,
  type NewAddress,
  NextQuery,
  ReplayForm,
  SecretForm,
  SubscribeForm,
  type SubscribedAnswer,
  type SubscriptionList,
  TrialForm,
} from './operations.ts';
import type { EventReading } from './reading.ts';
import { EventRefused } from './refused.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Trial } from './trial.ts';

interface Needs {
  eventAddresses: EventAddresses;
  eventReading: EventReading;
  eventSubscriptions: Subscriptions;
  identify: Identify;
  requireTool: RequireTool;
  watchTrial: Trial;
}

const PAGE = 50;
const REPLAY_BYTES = 1_024;
const STATUS = { WRONG: 400, FULL: 409, NOT_FOUND: 404, NOT_DONE: 409 } as const;

export function createEventApiRoutes({
  eventAddresses,
  eventReading,
  eventSubscriptions,
  identify,
  requireTool,
  watchTrial,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const session = requirePortalUser(identify, { only: 'sessions' });
  const app = new Hono<PortalEnv>();
  const missing = () => new HttpError(404, { error: 'Event not found' });
  const callerOf = (c: Context<PortalEnv>) => ({
    userId: c.var.userId,
    actor: c.var.actor,
    signal: c.req.raw.signal,
  });

  async function told<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw error instanceof EventRefused
        ? new HttpError(STATUS[error.reason], { error: error.message })
        : error;
    }
  }

  app.get('/api/events', signedIn, async (c) => {
    await requireTool(c.var, 'events_list');
    return c.json({ subscriptions: await eventSubscriptions.list(c.var.userId) } satisfies SubscriptionList);
  });

  app.post('/api/events', signedIn, async (c) => {
    await requireTool(c.var, 'events_subscribe');
    const wanted = await readForm(c, SubscribeForm);
    const made = await told(eventSubscriptions.subscribe(callerOf(c), wanted));
    return c.json(made satisfies SubscribedAnswer, 201);
  });

  app.get('/api/events/types', signedIn, async (c) => {
    await requireTool(c.var, 'events_types');
    return c.json({
      types: eventSubscriptions.types(),
      sources: eventSubscriptions.sources(),
    } satisfies EventTypes);
  });

  app.get('/api/events/log', signedIn, validQuery(LogQuery), async (c) => {
    await requireTool(c.var, 'events_read');
    const { limit = PAGE, ...asked } = c.req.valid('query');
    return c.json((await eventReading.latest(c.var.userId, { ...asked, limit })) satisfies EventLog);
  });

  app.get('/api/events/next', signedIn, validQuery(NextQuery), async (c) => {
    await requireTool(c.var, 'events_read');
    const { limit = PAGE, waitSec = 0, cursor } = c.req.valid('query');
    const { signal } = c.req.raw;
    const read = await eventReading.read(c.var.userId, { cursor, limit, waitSec, signal });
    if (read === null) throw missing();
    return c.json(read satisfies EventsRead);
  });

  app.get('/api/events/log/:id', signedIn, async (c) => {
    await requireTool(c.var, 'events_read');
    const event = await eventReading.get(c.var.userId, c.req.param('id'));
    if (event === null) throw missing();
    return c.json(event satisfies EventShown);
  });

  app.post('/api/events/log/:id/replay', signedIn, async (c) => {
    await requireTool(c.var, 'events_subscribe');
    const form = ReplayForm.safeParse(parseJson((await readText(c, REPLAY_BYTES)) || '{}'));
    if (!form.success) throw new HttpError(400, { error: describeIssues(form.error) });
    const event = c.req.param('id');
    if (form.data.to === 'address') {
      await told(eventAddresses.replay(c.var.userId, event));
      return c.json({ id: event });
    }
    const id = await eventReading.replay(c.var.userId, event);
    if (id === null) throw missing();
    return c.json({ id });
  });

  app.post('/api/events/sample', signedIn, async (c) => {
    await requireTool(c.var, 'events_subscribe');
    const { account = null, args } = await readForm(c, TrialForm);
    const tried = await watchTrial(callerOf(c), args, account);
    if (typeof tried === 'string') throw new HttpError(400, { error: tried });
    return c.json(tried satisfies EventTrial);
  });

  app.put('/api/events/:id/secret', signedIn, async (c) => {
    await requireTool(c.var, 'events_subscribe');
    const { secret } = await readForm(c, SecretForm);
    return c.json(await told(eventSubscriptions.setSecret(c.var.userId, c.req.param('id'), secret)));
  });

  app.put('/api/events/:id/deliver-to', session, async (c) => {
    const to = await readForm(c, DeliverToForm);
    const chosen = await told(eventAddresses.choose(c.var.userId, c.req.param('id'), to));
    return c.json(chosen satisfies NewAddress);
  });

  app.delete('/api/events/:id/deliver-to', session, async (c) => {
    await told(eventAddresses.remove(c.var.userId, c.req.param('id')));
    return c.json({ success: true } satisfies Success);
  });

  app.delete('/api/events/:id', signedIn, async (c) => {
    await requireTool(c.var, 'events_unsubscribe');
    return c.json(await told(eventSubscriptions.unsubscribe(callerOf(c), c.req.param('id'))));
  });

  return app;
}

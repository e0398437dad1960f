// Serves /api/events: the subscriptions and events of the signed-in person, for the portal. reference: Event subscriptions
import { type Context, Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import type { Identify } from '../kit/actor.ts';
import { readForm } from '../kit/read-form.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import { describeIssues } from '../kit/validation.ts';
import {
  type EventLog,
  type EventTypes,
  LogQuery,
  SecretForm,
  SubscribeForm,
  type SubscribedAnswer,
  type SubscriptionList,
} from './operations.ts';
import type { EventReading } from './reading.ts';
import { EventRefused, type Subscriptions } from './subscriptions.ts';

interface Needs {
  eventReading: EventReading;
  eventSubscriptions: Subscriptions;
  identify: Identify;
  requireTool: RequireTool;
}

const PAGE = 50;
const STATUS = { WRONG: 400, FULL: 409, NOT_FOUND: 404, NOT_DONE: 409 } as const;

export function createEventApiRoutes({
  eventReading,
  eventSubscriptions,
  identify,
  requireTool,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
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
    return c.json({ types: await eventSubscriptions.types() } satisfies EventTypes);
  });

  app.get('/api/events/log', signedIn, async (c) => {
    await requireTool(c.var, 'events_read');
    const query = LogQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const events = await eventReading.latest(c.var.userId, {
      ...query.data,
      limit: query.data.limit ?? PAGE,
    });
    return c.json({ events } satisfies EventLog);
  });

  app.post('/api/events/log/:id/replay', signedIn, async (c) => {
    await requireTool(c.var, 'events_subscribe');
    const id = await eventReading.replay(c.var.userId, c.req.param('id'));
    if (id === null) throw missing();
    return c.json({ id });
  });

  app.post('/api/events/sample', signedIn, async (c) => {
    await requireTool(c.var, 'events_subscribe');
    const wanted = await readForm(c, SubscribeForm);
    return c.json(await told(eventSubscriptions.sample(callerOf(c), wanted)));
  });

  app.put('/api/events/:id/secret', signedIn, async (c) => {
    await requireTool(c.var, 'events_subscribe');
    const { secret } = await readForm(c, SecretForm);
    return c.json(await told(eventSubscriptions.setSecret(c.var.userId, c.req.param('id'), secret)));
  });

  app.delete('/api/events/:id', signedIn, async (c) => {
    await requireTool(c.var, 'events_unsubscribe');
    return c.json(await told(eventSubscriptions.unsubscribe(callerOf(c), c.req.param('id'))));
  });

  return app;
}

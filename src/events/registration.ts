// Makes a webhook at its service, and removes it, with the person's own connection: both are calls as any other.
// reference: Webhooks
import * as z from 'zod';
import type { Execute } from '../calls/execute.ts';
import type { Outcome } from '../calls/outcome.ts';
import { resolvePointer } from '../json/pointer.ts';
import type { HookRegistration, HookRequest } from '../kit/hooks.ts';
import { type Integration, type KnownCaller, tool, type ToolContext } from '../kit/integration.ts';

export interface HookValues {
  url: string;
  secret: string;
  /** The names of the events at the service. */
  events: readonly string[];
  args: Readonly<Record<string, unknown>>;
}

export interface Registrations {
  add(
    caller: KnownCaller,
    integration: Integration,
    how: HookRegistration,
    account: string | undefined,
    values: HookValues,
    /** The yes that it must use. Absent for a call that may ask. */
    approval?: string,
  ): Promise<{ outcome: Outcome; made: { id: string; secret: string | null } | null }>;
  remove(
    caller: KnownCaller,
    integration: Integration,
    how: HookRegistration,
    account: string | undefined,
    values: Pick<HookValues, 'events' | 'args'> & { id: string },
  ): Promise<Outcome>;
}

/** What is shown of an answer. */
const MAX_SAID = 300;

const Shown = () => ({
  events: z.array(z.string()),
  args: z.record(z.string(), z.string()),
  id: z.string().optional(),
});

export function createRegistrations({ execute }: { execute: Execute }): Registrations {
  async function send(
    { upstream }: Pick<ToolContext, 'upstream'>,
    request: HookRequest,
    values: Record<string, string>,
    events: readonly string[],
  ): Promise<unknown> {
    const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(values[name] ?? ''),
    );
    const body = request.body === undefined ? undefined : bodyOf(request, values, events);
    const response = await upstream({
      method: request.method,
      path,
      ...(body === undefined
        ? {}
        : request.type === 'form'
          ? {
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body: new URLSearchParams(
                Object.entries(body).map(([key, value]) => [key, String(value)]),
              ).toString(),
            }
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the service answered ${response.status}: ${text.slice(0, MAX_SAID)}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** The secret stays out of the arguments, which people and the audit log see. */
  function hidden(
    integration: Integration,
    name: string,
    access: 'write' | 'destroy',
    run: (context: ToolContext) => Promise<unknown>,
  ) {
    const full = `${integration.name}_${name}`;
    return {
      integration,
      tool: tool(full, 'Webhooks of subscriptions to events', Shown, (_, context) => run(context), access),
    };
  }

  const textsOf = (args: Readonly<Record<string, unknown>>, { args: names }: HookRegistration) =>
    Object.fromEntries(
      Object.keys(names).flatMap((name) =>
        typeof args[name] === 'string' || typeof args[name] === 'number' ? [[name, `${args[name]}`]] : [],
      ),
    );

  return {
    async add(caller, integration, how, account, { url, secret, events, args }, approval) {
      const shown = textsOf(args, how);
      let made: { id: string; secret: string | null } | null = null;
      const found = hidden(integration, 'add_webhook', 'write', async (context) => {
        if (how.unless !== undefined && context.readConfig?.()[how.unless.config] !== undefined)
          throw new Error(how.unless.why);
        const answer = await send(context, how.add, { ...shown, url, secret }, events);
        const id = textAt(answer, how.id)?.split('/').at(-1);
        // GraphQL reports refusals with status 200.
        if (id === undefined)
          throw new Error(`the service answered: ${JSON.stringify(answer).slice(0, MAX_SAID)}`);
        made = { id, secret: how.secret === undefined ? null : textAt(answer, how.secret) };
        return { added: true };
      });
      const outcome = await execute(caller, {
        tool: found.tool.name,
        args: { events, args: shown },
        within: null,
        found,
        ...(account === undefined ? {} : { account }),
        ...(approval === undefined ? {} : { approval }),
      });
      return { outcome, made };
    },
    remove(caller, integration, how, account, { events, args, id }) {
      const shown = textsOf(args, how);
      const found = hidden(integration, 'remove_webhook', 'destroy', async (context) => {
        await send(context, how.remove, { ...shown, id }, events);
        return { removed: true };
      });
      return execute(caller, {
        tool: found.tool.name,
        args: { events, args: shown, id },
        within: null,
        found,
        ...(account === undefined ? {} : { account }),
      });
    },
  };
}

function textAt(answer: unknown, pointer: string): string | null {
  const value = resolvePointer(answer, pointer)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Fills in texts, at any depth. */
function bodyOf(
  { body = {}, flags }: HookRequest,
  values: Record<string, string>,
  events: readonly string[],
): Record<string, unknown> {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string')
      return part.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
        if (name !== 'event') return values[name] ?? whole;
        if (events.length !== 1)
          throw new Error('the service makes a webhook for one event at a time, so name the event');
        return events[0] ?? whole;
      });
    if (Array.isArray(part)) return part.length === 1 && part[0] === '{event}' ? events : part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, fill(value)]));
  };
  const filled = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, fill(value)]));
  if (flags === undefined) return filled;
  return {
    ...filled,
    ...Object.fromEntries(
      events.map((event) => {
        const flag = flags[event];
        if (flag === undefined) throw new Error(`the gateway does not know the event "${event}"`);
        return [flag, true];
      }),
    ),
  };
}

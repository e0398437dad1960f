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
  event: string;
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
  ): Promise<{ outcome: Outcome; id: string | null; secret: string | null }>;
  remove(
    caller: KnownCaller,
    integration: Integration,
    how: HookRegistration,
    account: string | undefined,
    values: HookValues & { id: string },
  ): Promise<Outcome>;
}

const Shown = () => ({
  event: z.string(),
  args: z.record(z.string(), z.string()),
  id: z.string().optional(),
});

export function createRegistrations({ execute }: { execute: Execute }): Registrations {
  async function send(
    { upstream }: Pick<ToolContext, 'upstream'>,
    request: HookRequest,
    values: Record<string, string>,
  ): Promise<unknown> {
    const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(values[name] ?? ''),
    );
    const flag = request.flags?.[values['event'] ?? ''];
    const body =
      request.body === undefined
        ? undefined
        : { ...filled(request.body, values), ...(flag === undefined ? {} : { [flag]: true }) };
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
    if (!response.ok) throw new Error(`the service answered ${response.status}: ${text.slice(0, 300)}`);
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
    async add(caller, integration, how, account, { url, secret, event, args }, approval) {
      const shown = textsOf(args, how);
      let answer: unknown = null;
      const found = hidden(integration, 'add_webhook', 'write', async (context) => {
        answer = await send(context, how.add, { ...shown, url, secret, event });
        return { added: true };
      });
      const outcome = await execute(caller, {
        tool: found.tool.name,
        args: { event, args: shown },
        within: null,
        found,
        ...(account === undefined ? {} : { account }),
        ...(approval === undefined ? {} : { approval }),
      });
      const id = textAt(answer, how.id);
      return {
        outcome,
        id: id?.split('/').at(-1) ?? null,
        secret: how.secret === undefined ? null : textAt(answer, how.secret),
      };
    },
    remove(caller, integration, how, account, { url, secret, event, args, id }) {
      const shown = textsOf(args, how);
      const found = hidden(integration, 'remove_webhook', 'destroy', async (context) => {
        await send(context, how.remove, { ...shown, url, secret, event, id });
        return { removed: true };
      });
      return execute(caller, {
        tool: found.tool.name,
        args: { event, args: shown, id },
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
function filled<T>(part: T, values: Record<string, string>): T {
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string')
      return one.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
    if (Array.isArray(one)) return one.map(fill);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, fill(value)]));
  };
  // Only texts inside it have changed.
  return fill(part) as T;
}

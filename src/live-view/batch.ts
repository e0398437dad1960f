// Reads the body of a commands request: one command or a list of them, each judged. reference: Live view; decision: 050
import * as z from 'zod';
import { parseJson } from '../json/json.ts';
import { LIVE_VIEW_BATCH } from './limits.ts';
import type { BrowserCommand } from '../ports/browser.ts';
import { describeIssues } from '../kit/validation.ts';
import { judge } from './policy.ts';

const Command = z.object({
  id: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  method: z.string().min(1).max(100),
  params: z.record(z.string(), z.unknown()).default({}),
  sessionId: z
    .string()
    .regex(/^[0-9A-F]{32}$/)
    .optional(),
});
const CommandBatch = z.union([
  Command.transform((command) => [command]),
  z.array(Command).max(LIVE_VIEW_BATCH),
]);

/** The error that is sent on the stream for a refused command. */
export interface RefusedCommand {
  id: number;
  error: { code: number; message: string };
  sessionId?: string;
}

export type CommandItem =
  | { kind: 'command'; command: BrowserCommand }
  | { kind: 'refused'; answer: RefusedCommand };
export type ReadBatch = { ok: true; items: CommandItem[] } | { ok: false; message: string };

export function readBatch(body: string): ReadBatch {
  const batch = CommandBatch.safeParse(parseJson(body));
  if (!batch.success)
    return {
      ok: false,
      message: `A body is one command {id, method, params?, sessionId?} or a list of at most ${LIVE_VIEW_BATCH}. ${describeIssues(batch.error)}`,
    };
  return {
    ok: true,
    items: batch.data.map(({ id, method, params, sessionId }): CommandItem => {
      const session = sessionId === undefined ? {} : { sessionId };
      const judged = judge(method, params);
      if (judged.ok) return { kind: 'command', command: { id, method, params: judged.params, ...session } };
      const { code, message } = judged;
      return { kind: 'refused', answer: { id, error: { code, message }, ...session } };
    }),
  };
}

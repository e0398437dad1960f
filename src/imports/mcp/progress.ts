// Asks a server to tell the progress of a call, and finds the call that a notice is about. MCP 2025-11-25, Progress
import { isObject } from '../../json/json.ts';
import type { CallScope } from './call-scope.ts';

export interface ProgressTokens {
  /** Adds a token to the parameters of a call whose caller wants to know. `close` is called when the call is over. */
  ask: (
    call: CallScope,
    params: Record<string, unknown>,
  ) => { params: Record<string, unknown>; close: () => void };
  /** Takes the parameters of a notice, which is ignored when no call waits for it. */
  tell: (params: unknown) => void;
}

const nothing = (): void => {};

/** For one session: the notice may come with the answer of the call or beside it. */
export function createProgressTokens(): ProgressTokens {
  const calls = new Map<string, CallScope>();
  let next = 0;
  return {
    ask(call, params) {
      if (call.reached.onProgress === undefined) return { params, close: nothing };
      const token = `progress-${next++}`;
      calls.set(token, call);
      const meta = isObject(params['_meta']) ? params['_meta'] : {};
      return {
        params: { ...params, _meta: { ...meta, progressToken: token } },
        close: () => void calls.delete(token),
      };
    },
    tell(params) {
      if (!isObject(params) || typeof params['progress'] !== 'number') return;
      const call = calls.get(String(params['progressToken']));
      if (call === undefined) return;
      const { progress, total, message } = params;
      call.extend();
      call.reached.onProgress?.({
        progress,
        ...(typeof total === 'number' ? { total } : {}),
        ...(typeof message === 'string' ? { message } : {}),
      });
    },
  };
}

// Queues commands for the browser, and merges a pointer movement with the one before it.
export type Params = Readonly<Record<string, unknown>>;

export interface Command {
  id: number;
  method: string;
  params: Params;
  sessionId?: string;
}

/** Adds a command to the queue. A move that directly follows a move replaces it. */
export function enqueue(queue: readonly Command[], command: Command): Command[] {
  const last = queue.at(-1);
  const merged = last === undefined ? null : merge(last, command);
  return merged === null ? [...queue, command] : [...queue.slice(0, -1), merged];
}

function merge(last: Command, next: Command): Command | null {
  if (last.method !== next.method || last.sessionId !== next.sessionId) return null;
  const { type } = next.params;
  if (last.params['type'] !== type || last.params['modifiers'] !== next.params['modifiers']) return null;
  if (type === 'touchMove') return next;
  if (type === 'mouseMoved') return last.params['buttons'] === next.params['buttons'] ? next : null;
  if (type !== 'mouseWheel') return null;
  // Scrolling has a distance, so the distances add up.
  const sum = (name: string) => Number(last.params[name]) + Number(next.params[name]);
  return { ...next, params: { ...next.params, deltaX: sum('deltaX'), deltaY: sum('deltaY') } };
}

// What the live view was opened for. Kept in this tab, so that a reload finds its way back in.
const KEY = 'svc_live';

export interface LiveStart {
  /** Empty for the browser itself. */
  integration: string;
  instanceUrl: string;
  /** The agent's link, to which the connection belongs; empty where there is none. */
  token: string;
}

export function keepStart(start: LiveStart): void {
  sessionStorage.setItem(KEY, JSON.stringify(start));
}

export function readStart(integration: string): LiveStart | null {
  // What lies there is ours, or broken.
  const kept = parse(sessionStorage.getItem(KEY)) as Partial<LiveStart> | null;
  if (kept?.integration !== integration) return null;
  const { instanceUrl = '', token = '' } = kept;
  return { integration, instanceUrl, token };
}

export function forgetStart(): void {
  sessionStorage.removeItem(KEY);
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

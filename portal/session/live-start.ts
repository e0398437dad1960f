// Remembers in this tab what the live view was opened for, so that a reload opens it again.
const KEY = 'svc_live';

export interface LiveStart {
  /** Empty when the person opened the browser itself. */
  integration: string;
  instanceUrl: string;
  /** The token of the agent's connect link. Empty without a link. */
  token: string;
  /** The label of the account. Empty when the person has named none. */
  account: string;
}

export function keepStart(start: LiveStart): void {
  sessionStorage.setItem(KEY, JSON.stringify(start));
}

export function readStart(integration: string): LiveStart | null {
  // Only keepStart writes this item, and the check below refuses anything else.
  const stored = parse(sessionStorage.getItem(KEY)) as Partial<LiveStart> | null;
  if (stored?.integration !== integration) return null;
  const { instanceUrl = '', token = '', account = '' } = stored;
  return { integration, instanceUrl, token, account };
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

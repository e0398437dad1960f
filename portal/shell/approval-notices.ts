// Tells the person that an agent has just asked: by a message in the portal, and by a notification while nobody looks.
import { useEffect, useRef } from 'preact/hooks';
import type { Approval } from '../api/approvals.ts';
import { callerName } from '../parts/caller-name.ts';
import { here } from '../router/location.ts';
import { keep } from '../state/cache.ts';
import { texts } from '../texts/texts.ts';
import { notify, notifyState } from './notifications.ts';

const words = texts.asking;

/** The cache holds the ids of the calls that the message is about under this key. */
export const JUST_ASKED = 'just-asked';

export function useApprovalNotices(waiting: readonly Approval[] | undefined): void {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);

  useEffect(() => {
    if (waiting === undefined) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...waiting.map(({ id }) => id)]);
    // The person sees in the navigation what waited before the portal opened.
    if (before === undefined) return;
    // A person who runs a tool in the portal sees the question beside it.
    const asked = waiting.filter(({ id, caller }) => !before.has(id) && caller.kind !== 'session');
    if (asked.length === 0) return;
    if (!here().path.startsWith('/approvals'))
      keep(
        JUST_ASKED,
        asked.map(({ id }) => id),
      );
    if (!document.hasFocus() && notifyState() === 'on') announce(asked);
  }, [waiting]);
}

/** Says only who asks and for which tool, because others may see the screen. */
function announce(asked: readonly Approval[]): void {
  const [first] = asked;
  if (asked.length > 1 || first === undefined) {
    notify(words.several(asked.length), { body: '', path: '/approvals' });
    return;
  }
  notify(words.title(toolOf(first)), {
    body: words.askedBy(callerName(first.caller)),
    path: `/approvals/${first.id}`,
  });
}

/** Leaves out the path of a raw request, which may hold anything. */
export function toolOf({ tool, integration }: Approval): string {
  const [method = '', path] = tool.split(' ');
  return path === undefined ? tool : `${method} ${integration}`;
}

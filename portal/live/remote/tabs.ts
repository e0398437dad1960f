// The browser's tabs, and which of them the person looks at. The gateway says so: a pop-up at once, what is behind it after.
import type { TargetInfo } from './protocol.ts';

export interface Tab {
  sessionId: string;
  targetId: string;
  openerId: string | null;
  title: string;
  url: string;
}

export interface Tabs {
  all: readonly Tab[];
  /** The session of the one that is shown; empty while there is none. */
  active: string;
}

export const NO_TABS: Tabs = { all: [], active: '' };

export function activeTab({ all, active }: Tabs): Tab | undefined {
  return all.find(({ sessionId }) => sessionId === active);
}

export function opened(tabs: Tabs, sessionId: string, target: TargetInfo): Tabs {
  if (target.type !== 'page' || tabs.all.some((tab) => tab.sessionId === sessionId)) return tabs;
  const { targetId, openerId = null, title, url } = target;
  return { ...tabs, all: [...tabs.all, { sessionId, targetId, openerId, title, url }] };
}

export function closed({ all, active }: Tabs, sessionId: string): Tabs {
  return {
    all: all.filter((tab) => tab.sessionId !== sessionId),
    active: active === sessionId ? '' : active,
  };
}

export function renamed(tabs: Tabs, { targetId, title, url }: TargetInfo): Tabs {
  return { ...tabs, all: tabs.all.map((tab) => (tab.targetId === targetId ? { ...tab, title, url } : tab)) };
}

export function moved(tabs: Tabs, sessionId: string, url: string): Tabs {
  return { ...tabs, all: tabs.all.map((tab) => (tab.sessionId === sessionId ? { ...tab, url } : tab)) };
}

export function chosen(tabs: Tabs, sessionId: string): Tabs {
  return tabs.all.some((tab) => tab.sessionId === sessionId) ? { ...tabs, active: sessionId } : tabs;
}

// Tracks the browser's tabs and the shown tab. The gateway chooses the shown tab: a pop-up when it opens, and the tab
// behind it once the pop-up closes.
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
  /** The session of the shown tab. Empty without a shown tab. */
  active: string;
}

export const NO_TABS: Tabs = { all: [], active: '' };

export function activeTab({ all, active }: Tabs): Tab | undefined {
  return all.find(({ sessionId }) => sessionId === active);
}

export function addTab(tabs: Tabs, sessionId: string, target: TargetInfo): Tabs {
  if (target.type !== 'page' || tabs.all.some((tab) => tab.sessionId === sessionId)) return tabs;
  const { targetId, openerId = null, title, url } = target;
  return { ...tabs, all: [...tabs.all, { sessionId, targetId, openerId, title, url }] };
}

export function removeTab({ all, active }: Tabs, sessionId: string): Tabs {
  return {
    all: all.filter((tab) => tab.sessionId !== sessionId),
    active: active === sessionId ? '' : active,
  };
}

export function updateTab(tabs: Tabs, { targetId, title, url }: TargetInfo): Tabs {
  return { ...tabs, all: tabs.all.map((tab) => (tab.targetId === targetId ? { ...tab, title, url } : tab)) };
}

export function setTabUrl(tabs: Tabs, sessionId: string, url: string): Tabs {
  return { ...tabs, all: tabs.all.map((tab) => (tab.sessionId === sessionId ? { ...tab, url } : tab)) };
}

export function chooseTab(tabs: Tabs, sessionId: string): Tabs {
  return tabs.all.some((tab) => tab.sessionId === sessionId) ? { ...tabs, active: sessionId } : tabs;
}

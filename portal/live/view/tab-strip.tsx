// Shows the browser's tabs when there are several.
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/texts.ts';
import type { Viewer } from '../remote/viewer.ts';
import type { Tab, Tabs } from '../remote/tabs.ts';

export function TabStrip({ tabs: { all, active }, viewer }: { tabs: Tabs; viewer: Viewer }) {
  if (all.length < 2) return null;
  return (
    <ul class="live-tabs" aria-label={texts.live.tabs}>
      {all.map((tab) => (
        <li key={tab.sessionId} class={tab.sessionId === active ? 'live-tab live-tab-shown' : 'live-tab'}>
          <button
            type="button"
            aria-current={tab.sessionId === active ? 'page' : undefined}
            onClick={() => viewer.choose(tab.sessionId)}
          >
            {nameOf(tab)}
          </button>
          <button
            type="button"
            class="live-tab-close"
            aria-label={texts.live.closeTab(nameOf(tab))}
            onClick={() => viewer.closeTab(tab.sessionId)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function nameOf({ title, url }: Tab): string {
  if (title !== '') return title;
  const host = URL.parse(url)?.host ?? '';
  return host === '' ? texts.live.untitled : host;
}

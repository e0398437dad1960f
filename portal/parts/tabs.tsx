// Renders tabs as the ARIA practices describe them: one stop for Tab, arrow keys between tabs, the panel below.
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useScrollIntoView } from './scroll-into-view.ts';

interface Props {
  label: string;
  tabs: readonly { key: string; label: string; icon?: ComponentChildren }[];
  chosen: string;
  onChoose: (key: string) => void;
  children: ComponentChildren;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

export function Tabs({ label, tabs, chosen, onChoose, children }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  useScrollIntoView(list, '[aria-selected="true"]', chosen);

  function go(index: number): void {
    const tab = tabs[(index + tabs.length) % tabs.length];
    if (tab === undefined) return;
    onChoose(tab.key);
    list.current?.querySelector<HTMLElement>(`[data-key="${tab.key}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const index = tabs.findIndex(({ key }) => key === chosen);
    const step = STEPS[event.key];
    if (step !== undefined) go(index + step);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(tabs.length - 1);
    else return;
    event.preventDefault();
  }

  return (
    <div class="tabs">
      <div ref={list} class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ key, label: word, icon }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            data-key={key}
            aria-selected={key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => onChoose(key)}
          >
            {icon}
            {word}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}

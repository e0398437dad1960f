// Renders the button with three dots, and the menu of what else a person can do.
import type { TargetedKeyboardEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import '../styles/integration.css';

export interface MoreAction {
  label: string;
  act: () => void;
}

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

export function MoreMenu({ named, actions }: { named: string; actions: readonly MoreAction[] }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  function onKeyDown(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const step = STEPS[event.key];
    if (step !== undefined)
      items.at((items.findIndex((item) => item === document.activeElement) + step) % items.length)?.focus();
    else if (event.key === 'Home') items[0]?.focus();
    else if (event.key === 'End') items.at(-1)?.focus();
    else if (event.key === 'Tab') menu.current?.hidePopover();
    else return;
    event.preventDefault();
  }

  /** The menu is in the top layer, so it is placed when it opens. */
  function place(): void {
    const { bottom = 0, right = 0 } = button.current?.getBoundingClientRect() ?? {};
    menu.current?.style.setProperty('--menu-top', `${Math.round(bottom + 4 + scrollY)}px`);
    menu.current?.style.setProperty(
      '--menu-right',
      `${Math.round(document.documentElement.clientWidth - right)}px`,
    );
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class="button more-button"
        aria-label={named}
        title={texts.actions.more}
        aria-haspopup="menu"
        popovertarget={id}
        onClick={place}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div ref={menu} id={id} class="choice-menu" popover="auto">
        <div role="menu" aria-label={named} onKeyDown={onKeyDown}>
          {actions.map(({ label, act }, index) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              class="choice-menu-item"
              // The browser focuses it when the menu opens.
              autoFocus={index === 0}
              onClick={() => {
                menu.current?.hidePopover();
                act();
              }}
            >
              <span class="choice-menu-label">{label}</span>
            </button>
          ))}
        </div>
      </div>
    </>
  );
}

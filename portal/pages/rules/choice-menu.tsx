// Renders one menu for a whole page: a row has only a button that opens it. On phones the menu rises from below.
import type { TargetedKeyboardEvent, TargetedMouseEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import '../../styles/decisions.css';

export interface MenuChoice {
  value: string;
  label: string;
  about: string;
  /** True for a choice that the person sees and cannot make. */
  isClosed: boolean;
}

export interface MenuContent {
  title: string;
  choices: readonly MenuChoice[];
  chosen: string;
  note: string;
  onChoose: (value: string) => void;
}

/** Connects the buttons with their menu, so that opening it renders no row again. */
export interface MenuControl {
  id: string;
  show: (opener: HTMLElement, content: MenuContent) => void;
}

export function useMenuControl(): MenuControl {
  const id = useId();
  return useRef<MenuControl>({ id, show: () => undefined }).current;
}

/** The attributes of a button that opens the menu. */
export function opensMenu(control: MenuControl, content: () => MenuContent) {
  return {
    type: 'button',
    popovertarget: control.id,
    'aria-haspopup': 'menu',
    // The browser opens the menu after this.
    onClick: ({ currentTarget }: TargetedMouseEvent<HTMLButtonElement>) =>
      control.show(currentTarget, content()),
  } as const;
}

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

export function ChoiceMenu({ control }: { control: MenuControl }) {
  const menu = useRef<HTMLDivElement>(null);
  const [{ content, place }, setShown] = useState<{ content?: MenuContent; place: Record<string, string> }>({
    place: {},
  });
  control.show = (opener, shown) => setShown({ content: shown, place: placeAt(opener) });

  function onKeyDown(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitemradio"]')];
    const index = items.findIndex((item) => item === document.activeElement);
    const step = STEPS[event.key];
    if (step !== undefined) items.at((index + step) % items.length)?.focus();
    else if (event.key === 'Home') items[0]?.focus();
    else if (event.key === 'End') items.at(-1)?.focus();
    else if (event.key === 'Tab') menu.current?.hidePopover();
    else return;
    event.preventDefault();
  }

  return (
    <div ref={menu} id={control.id} class="choice-menu" popover="auto" style={place}>
      {content !== undefined && (
        <>
          <p class="choice-menu-title">{content.title}</p>
          <div role="menu" aria-label={content.title} onKeyDown={onKeyDown}>
            {content.choices.map(({ value, label, about, isClosed }) => (
              <button
                key={`${content.title} ${value}`}
                type="button"
                role="menuitemradio"
                class="choice-menu-item"
                aria-checked={value === content.chosen}
                aria-disabled={isClosed}
                // The browser focuses it when the menu opens.
                autoFocus={value === content.chosen}
                onClick={() => {
                  if (isClosed) return;
                  menu.current?.hidePopover();
                  if (value !== content.chosen) content.onChoose(value);
                }}
              >
                <span class="choice-menu-label">{label}</span>
                <span class="choice-menu-about">{about}</span>
              </button>
            ))}
          </div>
          {content.note !== '' && <p class="choice-menu-note">{content.note}</p>}
        </>
      )}
    </div>
  );
}

/** Places the menu below its button, or above it near the end of the window. The style sheet reads the variables. */
function placeAt(opener: HTMLElement): Record<string, string> {
  const { top, bottom, right } = opener.getBoundingClientRect();
  const isLow = bottom > innerHeight * 0.6;
  return {
    '--menu-top': `${Math.round((isLow ? top - 4 : bottom + 4) + scrollY)}px`,
    '--menu-right': `${Math.round(document.documentElement.clientWidth - right)}px`,
    '--menu-shift': isLow ? '-100%' : '0',
  };
}

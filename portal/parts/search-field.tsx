// Renders a search field that the "/" key focuses from anywhere on the page.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** Lets the parent focus the field. */
  field?: RefObject<HTMLInputElement | null>;
}

export function SearchField({ label, value, onChange, onKeyDown, field }: Props) {
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  useSlash(input);

  return (
    <div class="search">
      <label>
        <Icon name="search" />
        <span class="visually-hidden">{label}</span>
        <input
          ref={input}
          type="search"
          aria-keyshortcuts="/"
          placeholder={label}
          value={value}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      {value === '' ? (
        <kbd aria-hidden="true">/</kbd>
      ) : (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.actions.clear}
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function useSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether keys go into a field or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog[open]') !== null;
}

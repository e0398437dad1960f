// A search field that "/" reaches from anywhere on its page.
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function SearchField({ label, value, onChange, onKeyDown }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useSlash(input);

  return (
    <label class="search">
      <Icon name="search" />
      <span class="visually-hidden">{label}</span>
      <input
        ref={input}
        type="search"
        placeholder={label}
        value={value}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

function useSlash(input: Exclude<Ref<HTMLInputElement>, ((element: HTMLInputElement) => void) | null>): void {
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

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog[open]') !== null;
}

// Renders the command palette: one field that finds pages, integrations, tools, jots, agents and actions.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { Logo } from '../parts/logo.tsx';
import { useFocusFallback } from '../parts/focus-fallback.ts';
import { paletteTexts } from '../texts/palette.ts';
import { texts } from '../texts/texts.ts';
import type { Entry } from './entry.ts';
import { rememberRecent } from './recent.ts';
import { useEntries } from './use-entries.ts';
import '../styles/palette.css';

const words = paletteTexts;
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

interface Props {
  actions: readonly Entry[];
  onClose: () => void;
}

export function Palette({ actions, onClose }: Props) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const { entries, isSearching, hasFailed } = useEntries(query, actions);
  const at = Math.min(chosen, entries.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useFocusFallback(dialog);

  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, entries]);

  function onKey(event: KeyboardEvent): void {
    // An input method uses the same keys to choose among its own suggestions.
    if (event.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined && entries.length > 0) setChosen((at + step + entries.length) % entries.length);
    else if (event.key === 'Enter') run(entries[at]);
    else return;
    event.preventDefault();
  }

  function run(entry: Entry | undefined): void {
    if (entry === undefined) return;
    dialog.current?.close();
    rememberRecent({ ...entry, id: entry.id.replace(/^recent /, '') });
    entry.run();
  }

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={words.title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <div class="palette-head">
        <label class="palette-field">
          <Icon name="search" />
          <span class="visually-hidden">{words.placeholder}</span>
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={at < 0 ? undefined : optionId(at)}
            placeholder={matchMedia('(max-width: 759px)').matches ? words.open : words.placeholder}
            autoComplete="off"
            spellcheck={false}
            value={query}
            onInput={(event) => {
              setQuery(event.currentTarget.value);
              setChosen(0);
            }}
            onKeyDown={onKey}
          />
        </label>
        <button
          type="button"
          class="icon-button palette-close"
          aria-label={texts.actions.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <p class="visually-hidden" role="status">
        {query === '' || isSearching ? '' : words.found(entries.length)}
      </p>
      <ul ref={list} id={id} class="palette-list" role="listbox" aria-label={words.results}>
        {entries.map((entry, index) => (
          <Option
            key={entry.id}
            id={optionId(index)}
            entry={entry}
            isFirst={entry.group !== entries[index - 1]?.group}
            isChosen={index === at}
            onPoint={() => setChosen(index)}
            onRun={() => run(entry)}
          />
        ))}
      </ul>
      {entries.length === 0 && (
        <p class="palette-note muted">{isSearching ? words.loading : words.none(query.trim())}</p>
      )}
      {hasFailed && <p class="palette-note muted">{words.failed}</p>}
      <p class="palette-foot muted" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {words.keys}
      </p>
    </dialog>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  /** Whether the entry begins a group. */
  isFirst: boolean;
  isChosen: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Option({ id, entry, isFirst, isChosen, onPoint, onRun }: OptionProps) {
  return (
    <>
      {isFirst && (
        <li class="palette-group" role="presentation">
          {words.groups[entry.group]}
        </li>
      )}
      <li
        id={id}
        class="palette-option"
        role="option"
        aria-selected={isChosen}
        onPointerMove={isChosen ? undefined : onPoint}
        onClick={onRun}
      >
        <span class="palette-mark" aria-hidden="true">
          {entry.mark === undefined ? (
            <Icon name={entry.icon ?? 'run'} />
          ) : (
            <Logo src={entry.mark} name={entry.label} />
          )}
        </span>
        <span class="palette-label">{entry.label}</span>
        {entry.detail !== undefined && <span class="palette-detail">{entry.detail}</span>}
      </li>
    </>
  );
}

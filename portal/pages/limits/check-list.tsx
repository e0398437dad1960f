// Renders a list of check boxes with a search.
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findMatches } from '../../state/find.ts';
import { useGradually } from '../../state/use-gradually.ts';
import { keysTexts } from '../../texts/keys.ts';
import '../../styles/keys.css';

interface CheckRow {
  name: string;
  label: string;
  /** Shown at the end of the row. */
  about: string;
  /** What the search also finds, beside the label. */
  keywords: string;
  /** Is named below the list, and cannot be checked. */
  isHidden?: boolean;
}

interface Props {
  /** The name of the search field. A form focuses it when nothing is chosen. */
  field: string;
  words: {
    find: string;
    noMatch: (query: string) => string;
    hidden?: (labels: readonly string[]) => string;
  };
  rows: readonly CheckRow[];
  chosen: readonly string[];
  /** The id of the text that says what is wrong. */
  describedBy: string;
  onChange: (chosen: string[]) => void;
}

export function CheckList({ field, words, rows, chosen, describedBy, onChange }: Props) {
  const [query, setQuery] = useState('');
  const id = useId();
  const matches = findMatches(rows, query, ({ label, keywords }) => `${label} ${keywords}`);
  const found = matches.filter(({ isHidden }) => !isHidden);
  const hidden = matches.filter(({ isHidden }) => isHidden).map(({ label }) => label);
  const shown = useGradually(found.length, query);
  const checked = new Set(chosen);
  const list = useRef<HTMLUListElement>(null);

  // A new search begins with its first match.
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = 0;
  }, [query]);

  return (
    <>
      <div class="check-list-head">
        <input
          type="search"
          name={field}
          aria-label={words.find}
          aria-describedby={`${id} hidden ${describedBy}`}
          placeholder={words.find}
          value={query}
          autoComplete="off"
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          // Enter would send the form.
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
        <p class="muted" role="status">
          {keysTexts.form.chosen(chosen.length)}
        </p>
      </div>
      {(found.length > 0 || hidden.length === 0) && (
        <ul ref={list} class="check-list">
          {found.slice(0, shown).map(({ name, label, about }) => (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  checked={checked.has(name)}
                  onChange={({ currentTarget }) =>
                    onChange(
                      currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name),
                    )
                  }
                />
                <span>{label}</span>
                {about !== '' && <span class="muted">{about}</span>}
              </label>
            </li>
          ))}
          {found.length === 0 && <li class="muted">{words.noMatch(query)}</li>}
        </ul>
      )}
      <p id={`${id} hidden`} class="check-list-hidden muted">
        {hidden.length > 0 && words.hidden?.(hidden)}
      </p>
    </>
  );
}

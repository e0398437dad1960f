// Lets the person choose tools, by group or one by one, and say what each one does. Large groups begin closed.
import { useState } from 'preact/hooks';
import { NoMatch } from '../../parts/no-match.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useGradually } from '../../state/use-gradually.ts';
import { importsTexts } from '../../texts/imports.ts';
import { useRef } from 'preact/hooks';
import { PickedTool } from './picked-tool.tsx';
import {
  type Choosable,
  choose,
  confirmOffered,
  findOffered,
  findTools,
  type Group,
  groupByTag,
  isChosen,
  type Selection,
} from './selection.ts';

const words = importsTexts.picker;
const MAX_WITHOUT_SEARCH = 10;
const MAX_OPEN = 60;

interface Props {
  tools: readonly Choosable[];
  selection: Selection;
  onChange: (selection: Selection) => void;
}

export function ToolPicker({ tools, selection, onChange }: Props) {
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({});
  const found = findTools(tools, query.trim());
  const groups = groupByTag(found);
  const isOpen = ({ tag }: Group) =>
    groups.length === 1 || (toggled[tag] ?? (query.trim() !== '' || tools.length <= MAX_OPEN));
  const count = tools.filter((tool) => isChosen(tool, selection)).length;
  const offered = findOffered(tools, selection).length;
  let remaining = useGradually(found.length, query);

  return (
    <div class="picker">
      <div class="list-search">
        {tools.length > MAX_WITHOUT_SEARCH && (
          <SearchField label={words.search} value={query} onChange={setQuery} field={field} />
        )}
        <p class="muted" role="status">
          {words.chosen(count, tools.length)}
        </p>
        <span class="row picker-all">
          <button type="button" class="button" onClick={() => onChange(choose(selection, found, true))}>
            {words.all}
          </button>
          <button type="button" class="button" onClick={() => onChange(choose(selection, found, false))}>
            {words.none}
          </button>
        </span>
      </div>
      {offered > 0 && (
        <p class="row muted">
          {words.seemToRead(offered)}
          <button type="button" class="button" onClick={() => onChange(confirmOffered(selection, tools))}>
            {words.confirmReading(offered)}
          </button>
        </p>
      )}
      {found.length === 0 && query !== '' && (
        <NoMatch title={words.noMatch(query)} field={field} onShowAll={() => setQuery('')} />
      )}
      {groups.map((group) => {
        const open = isOpen(group);
        const shown = open ? group.tools.slice(0, Math.max(remaining, 0)) : [];
        remaining -= shown.length;
        return (
          <div key={group.tag} class="picker-group">
            {(groups.length > 1 || group.tag !== '') && (
              <GroupHead
                group={group}
                isOpen={open}
                // A single group is always open.
                onToggle={
                  groups.length === 1 ? undefined : () => setToggled({ ...toggled, [group.tag]: !open })
                }
                selection={selection}
                onChange={onChange}
              />
            )}
            {shown.length > 0 && (
              <ul class="picker-tools" aria-label={group.tag === '' ? words.title : group.tag}>
                {shown.map((tool) => (
                  <PickedTool key={tool.name} tool={tool} selection={selection} onChange={onChange} />
                ))}
              </ul>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface HeadProps {
  group: Group;
  isOpen: boolean;
  onToggle: (() => void) | undefined;
  selection: Selection;
  onChange: (selection: Selection) => void;
}

function GroupHead({ group: { tag, tools }, isOpen, onToggle, selection, onChange }: HeadProps) {
  const name = tag === '' ? words.other : tag;
  const count = tools.filter((tool) => isChosen(tool, selection)).length;
  return (
    <div class="picker-head">
      <label>
        <input
          type="checkbox"
          checked={count === tools.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < tools.length;
          }}
          onChange={() => onChange(choose(selection, tools, count < tools.length))}
        />
        <span class="picker-tag">{name}</span>
        <span class="muted">{words.ofGroup(count, tools.length)}</span>
      </label>
      {onToggle && (
        <button
          type="button"
          class="icon-button picker-toggle"
          aria-expanded={isOpen}
          aria-label={isOpen ? words.close(name) : words.open(name)}
          onClick={onToggle}
        >
          <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M5.5 8l4.5 4.5L14.5 8" />
          </svg>
        </button>
      )}
    </div>
  );
}

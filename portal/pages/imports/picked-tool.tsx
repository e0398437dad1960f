// Renders a tool to choose: a check box, what the tool says about itself, and what it does.
import { useId } from 'preact/hooks';
import type { Access } from '../../api/tools.ts';
import { LongText } from '../../parts/long-text.tsx';
import { importsTexts } from '../../texts/imports.ts';
import { texts } from '../../texts/texts.ts';
import { AppNote } from './app-note.tsx';
import { accessOf, type Choosable, choose, isChosen, type Selection, setAccess } from './selection.ts';

const words = importsTexts.picker;
const ACCESSES = ['read', 'write', 'destroy'] as const;

interface Props {
  tool: Choosable;
  selection: Selection;
  onChange: (selection: Selection) => void;
}

export function PickedTool({ tool, selection, onChange }: Props) {
  const id = useId();
  const on = isChosen(tool, selection);
  const access = accessOf(tool, selection);
  return (
    <li class={on ? 'picked' : 'picked picked-off'}>
      <input
        id={id}
        type="checkbox"
        checked={on}
        onChange={({ currentTarget }) => onChange(choose(selection, [tool], currentTarget.checked))}
      />
      <div class="picked-words">
        <label for={id}>{tool.name}</label>
        {!tool.ready && <p class="picked-note">{words.leftOut}</p>}
        <LongText text={tool.description} max={160} class="muted" />
        <AppNote tool={tool} />
      </div>
      {on && (
        <span class={`access access-${access}`}>
          <select
            aria-label={words.accessOf(tool.name)}
            value={access}
            onChange={({ currentTarget }) =>
              onChange(setAccess(selection, tool, readAccess(currentTarget.value)))
            }
          >
            {ACCESSES.map((each) => (
              <option key={each} value={each}>
                {texts.access[each]}
              </option>
            ))}
          </select>
        </span>
      )}
    </li>
  );
}

function readAccess(value: string): Access {
  return ACCESSES.find((each) => each === value) ?? 'write';
}

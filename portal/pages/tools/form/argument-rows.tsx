// Lists the arguments: first those that are required or filled, then the optional ones, folded where there are many.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../../../parts/icon.tsx';
import { toolsTexts } from '../../../texts/tools.ts';
import type { Drafts, Problems } from './arguments.ts';
import type { Field } from './fields.ts';

// Fewer lines are no longer than the button that would hide them.
const MIN_FOLDED = 4;

interface Props {
  fields: readonly Field[];
  drafts: Drafts;
  problems: Problems;
  row: (field: Field, isHidden: boolean) => VNode;
}

export function ArgumentRows({ fields, drafts, problems, row }: Props) {
  const comesFirst = ({ name, required }: Field) => required || (drafts[name] ?? '') !== '';
  // A field stays where it is while the person fills it in.
  const [first, setFirst] = useState(() => namesOf(fields.filter(comesFirst)));
  const [isOpen, setOpen] = useState(false);
  const above = fields.filter(({ name }) => first.has(name));
  const below = fields.filter(({ name }) => !first.has(name));
  const isFoldable = below.length >= MIN_FOLDED;
  // The fold opens for an error, and stays open while the person corrects it.
  if (!isOpen && below.some(({ name }) => (problems[name] ?? '') !== '')) setOpen(true);

  function toggle(): void {
    if (isOpen) setFirst(namesOf(fields.filter(comesFirst)));
    setOpen(!isOpen);
  }

  // One list, so that a field that moves keeps its focus and its upload.
  return (
    <>
      {[
        ...above.map((field) => row(field, false)),
        isFoldable && (
          <button key="fold" type="button" class="fold" aria-expanded={isOpen} onClick={toggle}>
            <Icon name={isOpen ? 'up' : 'down'} />
            {toolsTexts.tools.fold(below.length)}
          </button>
        ),
        ...below.map((field) => row(field, isFoldable && !isOpen)),
      ]}
    </>
  );
}

const namesOf = (fields: readonly Field[]): ReadonlySet<string> => new Set(fields.map(({ name }) => name));

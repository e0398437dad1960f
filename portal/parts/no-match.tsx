// Nothing that is looked for is there: the way back to everything, with the focus where the search goes on.
import type { RefObject } from 'preact';
import { texts } from '../texts/texts.ts';
import { Empty } from './empty.tsx';

interface Props {
  title: string;
  field: RefObject<HTMLInputElement | null>;
  onShowAll: () => void;
}

export function NoMatch({ title, field, onShowAll }: Props) {
  return (
    <Empty title={title} lead={texts.noMatchLead}>
      <button
        type="button"
        class="button"
        onClick={() => {
          onShowAll();
          field.current?.focus();
        }}
      >
        {texts.actions.showAll}
      </button>
    </Empty>
  );
}

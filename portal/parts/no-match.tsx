// Says that a search found nothing, with a button that clears the search and focuses its field.
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
    <Empty icon="search" title={title} lead={texts.noMatchLead}>
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

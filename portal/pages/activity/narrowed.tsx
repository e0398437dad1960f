// Says that only the calls of one tool, or those that ended alike, are shown, and shows all again.
import { Icon } from '../../parts/icon.tsx';
import { setQuery } from '../../router/location.ts';
import { texts } from '../../texts/texts.ts';
import type { Choice } from './choice.ts';

const words = texts.activity;

export function Narrowed({ tool, like }: Pick<Choice, 'tool' | 'like'>) {
  if (tool === '' && like === '') return null;
  return (
    <p class="narrowed">
      {like === '' ? words.onlyOf(tool) : words.onlyLike}
      <button
        type="button"
        class="icon-button"
        aria-label={texts.actions.showAll}
        title={texts.actions.showAll}
        onClick={() => setQuery({ tool: '', like: '' })}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}

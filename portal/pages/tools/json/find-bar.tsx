// Finds a text in the JSON tree, counts the matches and goes from one to the next.
import { Icon } from '../../../parts/icon.tsx';
import { toolsTexts } from '../../../texts/tools.ts';
import type { Tree } from './use-tree.ts';

const words = toolsTexts.tools.find;

export function FindBar({ tree }: { tree: Tree }) {
  const { at, find, found, isCut, step, typed, setTyped } = tree;
  const isCurrent = typed !== '' && find === typed;
  return (
    <div class="find" role="search">
      <label>
        <span class="visually-hidden">{words.label}</span>
        <input
          type="search"
          placeholder={words.label}
          value={typed}
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          }}
        />
      </label>
      <span class="find-count" role="status">
        {isCurrent && words.count(at + 1, found.size, isCut)}
      </span>
      {(['previous', 'next'] as const).map((way) => (
        <button
          key={way}
          type="button"
          class="icon-button"
          aria-label={words[way]}
          title={words[way]}
          aria-disabled={found.size === 0}
          onClick={() => step(way === 'next' ? 1 : -1)}
        >
          <Icon name={way === 'next' ? 'down' : 'up'} />
        </button>
      ))}
    </div>
  );
}

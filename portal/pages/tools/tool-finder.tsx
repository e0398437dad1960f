// Renders the list of tools with a search field. The list is one Tab stop; arrow keys move through it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Tool } from '../../api/tools.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { scrollWithinFrame } from '../../parts/scroll-into-view.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import { containsWords, findMatches } from '../../state/find.ts';
import { useRankedTools } from '../../state/use-ranked-tools.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.tools;
const MAX_RANKED = 20;
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

interface Props {
  tools: readonly Tool[];
  chosen: string;
  nameOf: (integration: string) => string;
}

export function ToolFinder({ tools, chosen, nameOf }: Props) {
  const [query, setQuery] = useState('');
  const list = useRef<HTMLElement>(null);
  const ranked = useRankedTools(query, MAX_RANKED);
  const found = findTools(tools, query, ranked.found);
  /** The tool where the person last was in the list. */
  const place = useRef(chosen);
  const stop = found.find(({ name }) => name === (chosen || place.current)) ?? found[0];

  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && link) scrollWithinFrame(list.current, link);
  }, [chosen]);
  useEffect(() => {
    // The person returned from a tool to the list.
    if (chosen === '' && place.current !== '')
      list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    else place.current = chosen;
  }, [chosen]);

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && found[0] !== undefined) navigate(addressOf(found[0]));
    else if (event.key === 'ArrowDown') list.current?.querySelector('a')?.focus();
    else return;
    event.preventDefault();
  }

  function onListKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const index = links.findIndex((link) => link === document.activeElement);
    links[index + step]?.focus();
    event.preventDefault();
  }

  return (
    <div class="finder">
      <SearchField
        label={words.search(tools.length)}
        value={query}
        onChange={setQuery}
        onKeyDown={onSearchKey}
      />
      <p class={found.length === 0 ? 'finder-none muted' : 'visually-hidden'} role="status">
        {found.length === 0 ? words.noMatch(query) : query !== '' && words.found(found.length)}
      </p>
      <nav ref={list} class="finder-list" aria-label={words.list} onKeyDown={onListKey}>
        <ul>
          {found.map((tool, index) => (
            <li key={tool.name}>
              {query === '' && tool.integration !== found[index - 1]?.integration && (
                <p class="finder-group">{nameOf(tool.integration)}</p>
              )}
              <Link
                href={addressOf(tool)}
                tabIndex={tool === stop ? 0 : -1}
                aria-current={tool.name === chosen ? 'true' : undefined}
              >
                <span class="finder-name">{tool.name}</span>
                <span class="finder-about">{tool.description}</span>
                {tool.access !== 'read' && <AccessLamp access={tool.access} />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function addressOf({ name }: Tool): string {
  return `/tools?tool=${encodeURIComponent(name)}`;
}

/** Lists matches in the name first, then the gateway's own ranking, then those that only mention the words. */
function findTools(tools: readonly Tool[], query: string, ranked: readonly Tool[]): readonly Tool[] {
  if (query.trim() === '') return tools;
  const best = new Set(ranked.map(({ name }) => name));
  const byName = tools.filter(({ name }) => containsWords(name, query));
  const byRank = ranked.flatMap(({ name }) => tools.find((tool) => tool.name === name) ?? []);
  const byText = findMatches(tools, query, (tool) => `${tool.name} ${tool.description} ${tool.integration}`);
  // A typing error that the gateway has understood needs no second guess.
  const others = best.size > 0 ? byText.filter((tool) => mentions(tool, query)) : byText;
  return [...new Set([...byName, ...byRank, ...others])];
}

const mentions = ({ name, description, integration }: Tool, query: string): boolean =>
  containsWords(`${name} ${description} ${integration}`, query);

// Renders the list of tools with a search field. The list is one Tab stop; arrow keys move through it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Tool } from '../../api/tools.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { Chips } from '../../parts/chips.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Logo } from '../../parts/logo.tsx';
import { scrollWithinFrame } from '../../parts/scroll-into-view.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import { containsWords, findMatches } from '../../state/find.ts';
import { useRankedTools } from '../../state/use-ranked-tools.ts';
import { PART, useWindow } from '../../state/use-window.ts';
import { finderTexts } from '../../texts/finder.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.tools;
const MAX_RANKED = 20;
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

const ROW_PX = 58;

interface Props {
  tools: readonly Tool[];
  chosen: string;
  nameOf: (integration: string) => string;
  logoOf: (integration: string) => string | null;
  /** Whether calls of the integration can succeed: it is connected, or needs no connection. */
  isReady: (integration: string) => boolean;
}

export function ToolFinder({ tools, chosen, nameOf, logoOf, isReady }: Props) {
  const [query, setQuery] = useState('');
  const [only, setOnly] = useState<Only>('');
  const list = useRef<HTMLElement>(null);
  const ranked = useRankedTools(query, MAX_RANKED);
  const ordered = useMemo(() => readyFirst(tools, isReady), [tools, isReady]);
  const found = useMemo(
    () => findTools(ordered, query, ranked.found).filter((tool) => isWanted(tool, only, isReady)),
    [ordered, query, ranked.found, only, isReady],
  );
  /** The tool where the person last was in the list. */
  const place = useRef(chosen);
  /** Where the keyboard goes. A new object for each key. */
  const [target, setTarget] = useState<{ at: number } | null>(null);
  const stop = found.find(({ name }) => name === (chosen || place.current)) ?? found[0];
  const pinned = target?.at ?? (stop === undefined ? -1 : found.indexOf(stop));
  const rows = useRef<HTMLUListElement>(null);
  const parts = useWindow(found, rows, { rowPx: ROW_PX, pinned });

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
  useEffect(() => {
    if (target !== null) list.current?.querySelector<HTMLElement>(`[data-at="${target.at}"]`)?.focus();
  }, [target]);

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && found[0] !== undefined) navigate(addressOf(found[0]));
    else if (event.key === 'ArrowDown') setTarget({ at: 0 });
    else return;
    event.preventDefault();
  }

  function onListKey(event: KeyboardEvent): void {
    const at = Number(document.activeElement?.getAttribute('data-at') ?? -1);
    const step = STEPS[event.key];
    const next = step === undefined ? { Home: 0, End: found.length - 1 }[event.key] : at + step;
    if (next === undefined) return;
    event.preventDefault();
    if (next >= 0 && next < found.length) setTarget({ at: next });
  }

  return (
    <div class="finder">
      <SearchField
        label={words.search(tools.length)}
        value={query}
        onChange={(typed) => {
          setTarget(null);
          setQuery(typed);
        }}
        onKeyDown={onSearchKey}
      />
      <Chips
        label={finderTexts.only}
        choices={ONLY}
        chosen={only}
        onChoose={(value) => {
          setTarget(null);
          setOnly(readOnly(value));
        }}
      />
      <p class={found.length === 0 ? 'finder-none muted' : 'visually-hidden'} role="status">
        {found.length === 0
          ? query === ''
            ? finderTexts.none
            : words.noMatch(query)
          : (query !== '' || only !== '') && words.found(found.length)}
      </p>
      <nav ref={list} class="finder-list" aria-label={words.list} onKeyDown={onListKey}>
        <ul ref={rows}>
          {parts.map((part) =>
            'height' in part ? (
              <li
                key={`part ${part.at}`}
                data-part={part.at}
                aria-hidden="true"
                style={{ height: `${part.height}px` }}
              />
            ) : (
              part.rows.map((tool, row) => {
                const at = part.at * PART + row;
                const ready = isReady(tool.integration);
                const begins = query === '' && tool.integration !== found[at - 1]?.integration;
                return (
                  <li key={tool.name} data-part={part.at} aria-posinset={at + 1} aria-setsize={found.length}>
                    {begins && (
                      <p class="finder-group">
                        <Logo src={logoOf(tool.integration)} name={nameOf(tool.integration)} />
                        {nameOf(tool.integration)}
                        {!ready && <span> · {finderTexts.notConnected}</span>}
                      </p>
                    )}
                    <Link
                      href={addressOf(tool)}
                      class={ready ? undefined : 'finder-off'}
                      data-at={at}
                      tabIndex={tool === stop ? 0 : -1}
                      aria-current={tool.name === chosen ? 'true' : undefined}
                    >
                      <span class="finder-name">{tool.name}</span>
                      <span class="finder-about">{tool.description}</span>
                      {!ready && query !== '' ? (
                        <Lamp colour="off">{finderTexts.notConnected}</Lamp>
                      ) : (
                        tool.access !== 'read' && <AccessLamp access={tool.access} />
                      )}
                    </Link>
                  </li>
                );
              })
            ),
          )}
        </ul>
      </nav>
    </div>
  );
}

type Only = '' | 'connected' | Tool['access'];

const ONLY = Object.entries(finderTexts.choices).map(([value, label]) => ({
  value: value === 'all' ? '' : value,
  label,
}));

function readOnly(value: string): Only {
  switch (value) {
    case 'connected':
    case 'read':
    case 'write':
    case 'destroy':
      return value;
    default:
      return '';
  }
}

function isWanted(tool: Tool, only: Only, isReady: Props['isReady']): boolean {
  if (only === '') return true;
  return only === 'connected' ? isReady(tool.integration) : tool.access === only;
}

/** Lists the tools that can be called now before the others. */
function readyFirst(tools: readonly Tool[], isReady: Props['isReady']): readonly Tool[] {
  return [
    ...tools.filter(({ integration }) => isReady(integration)),
    ...tools.filter(({ integration }) => !isReady(integration)),
  ];
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

// Shows well-known MCP servers below the integrations. One click adds one, unless the person has to decide something.
import { useRef } from 'preact/hooks';
import type { CatalogueServer } from '../../api/imports.ts';
import type { Integration } from '../../api/integrations.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Logo } from '../../parts/logo.tsx';
import { useWork } from '../../parts/use-work.ts';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import { useKept } from '../../state/use-kept.ts';
import { forgetLists } from '../../state/use-imports.ts';
import { useWanted } from '../../state/use-wanted.ts';
import { importsTexts } from '../../texts/imports.ts';
import { texts } from '../../texts/texts.ts';
import { addKnownServer } from './known-server.ts';
import { describeProblem } from './problem.ts';

const words = importsTexts.more;
const FIRST = 12;

interface Props {
  servers: readonly CatalogueServer[];
  integrations: readonly Integration[];
  /** A search shows all that it finds. */
  isSearched: boolean;
}

export function MoreServices({ servers, integrations, isSearched }: Props) {
  // A person who returns finds the list as long as before.
  const [isOpen, setOpen] = useKept('all services', false);
  const list = useRef<HTMLUListElement>(null);
  const shown = isOpen || isSearched || servers.length <= FIRST + 2 ? servers : servers.slice(0, FIRST);
  const taken = new Set(integrations.map(({ name }) => name));

  function openAll(): void {
    setOpen(true);
    // The button is gone, so the focus goes to the first card that it brought.
    requestAnimationFrame(() => list.current?.querySelectorAll('a')[FIRST]?.focus());
  }

  return (
    <section class="section" aria-labelledby="more-services">
      <h2 id="more-services" class="section-title">
        {words.title} <span class="section-count">{servers.length}</span>
      </h2>
      <p class="section-note">{words.lead}</p>
      <ul ref={list} class="cards">
        {shown.map((server) => (
          <ServerCard key={server.name} server={server} integrations={integrations} taken={taken} />
        ))}
      </ul>
      {shown.length < servers.length && (
        <p class="more">
          <button type="button" class="button" onClick={openAll}>
            {words.showAll(servers.length)}
          </button>
        </p>
      )}
    </section>
  );
}

interface CardProps {
  server: CatalogueServer;
  integrations: readonly Integration[];
  taken: ReadonlySet<string>;
}

function ServerCard({ server, integrations, taken }: CardProps) {
  const { name, displayName, description, logo, auth, builtIn } = server;
  const card = useRef<HTMLLIElement>(null);
  const isWanted = useWanted();
  useFocusFallback(card);
  const { busy, problem, run } = useWork(describeProblem);
  const page = `/integrations/add?${new URLSearchParams({ server: name }).toString()}`;

  async function add(): Promise<void> {
    const added = await addKnownServer(server, taken);
    if (added !== null) forgetLists();
    // A person who has gone elsewhere meanwhile finds it among the integrations.
    if (!isWanted()) return;
    navigate(added === null ? page : `/integrations/${encodeURIComponent(added)}?connect=new`);
  }

  return (
    <li ref={card} class="card">
      <Logo src={logo} name={displayName} />
      <div class="card-words">
        <h3>
          <Link href={page}>{displayName}</Link>
        </h3>
        <p class="card-description">{description}</p>
        <p class="card-facts">
          {texts.integrations.kinds.mcp} · {words.ways[auth]}
        </p>
        {builtIn !== undefined && (
          <p class="card-mark">{words.builtIn(displayNameOf(builtIn, integrations))}</p>
        )}
      </div>
      <button
        type="button"
        class="button"
        aria-label={words.addNamed(displayName)}
        aria-disabled={busy}
        onClick={() => void run(add)}
      >
        {busy ? words.adding : words.add}
      </button>
      <span class="visually-hidden" role="status">
        {busy && `${words.adding} ${displayName}`}
      </span>
      {problem !== undefined && <ErrorNotice {...problem} />}
    </li>
  );
}

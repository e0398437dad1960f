// Adds a service: asks where it is, looks at it, shows what was found, and adds it as the person decides.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { addImport, previewImport } from '../../api/import-changes.ts';
import { fetchCatalogue } from '../../api/imports.ts';
import { ErrorNotice, type Problem } from '../../parts/error-notice.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { navigate, setQuery, useLocation } from '../../router/location.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { forgetLists, useImports } from '../../state/use-imports.ts';
import { useKept } from '../../state/use-kept.ts';
import { useResource } from '../../state/use-resource.ts';
import { importsTexts } from '../../texts/imports.ts';
import { type AddDraft, type Found, formOf, startDraft } from './add-draft.ts';
import { FoundForm } from './found-form.tsx';
import { type KnownFound, lookAtKnown } from './known-server.ts';
import { describeProblem } from './problem.ts';
import { NO_SOURCE, SourceForm, sourceOf } from './source-form.tsx';
import '../../styles/imports.css';

const words = importsTexts.add;

export function AddPage() {
  const integrations = useResource('integrations', fetchIntegrations);
  const imports = useImports();
  const [source, setSource] = useKept('add source', NO_SOURCE);
  const [found, setFound] = useKept<Found | null>('add found', null);
  const [draft, setDraft] = useKept<AddDraft | null>('add draft', null);
  const [problem, setProblem] = useState<Problem>();
  const [said, setSaid] = useState('');
  const looking = useRef<AbortController>(null);
  const [isLooking, setLooking] = useState(false);

  useEffect(() => () => looking.current?.abort(), []);

  function forget(): void {
    setFound(null);
    setDraft(null);
  }

  async function look(find: (signal: AbortSignal) => Promise<KnownFound>): Promise<void> {
    looking.current?.abort();
    const controller = new AbortController();
    looking.current = controller;
    setProblem(undefined);
    setSaid('');
    setLooking(true);
    try {
      const now = await find(controller.signal);
      if (controller.signal.aborted) return;
      setFound(now.found);
      setDraft(now.draft);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(describeProblem(error));
    } finally {
      if (looking.current === controller) setLooking(false);
    }
  }

  function lookAt(address: string): void {
    const now = { ...NO_SOURCE, address };
    setSource(now);
    forget();
    lookAtSource(now);
  }

  function lookAtSource(given = source): void {
    const wanted = sourceOf(given);
    void look(async (signal) => {
      const preview = await previewImport(wanted, signal);
      return { found: { source: wanted, preview }, draft: startDraft(preview) };
    });
  }

  function stop(): void {
    looking.current?.abort();
    setLooking(false);
    setSaid(words.stopped);
  }

  // The gallery names a well-known server here. An address in the link would let any page make the gateway ask it.
  const server = useLocation().query.get('server') ?? '';
  useEffect(() => {
    if (server === '') return;
    setQuery({ server: '' });
    forget();
    void look(async (signal) => {
      const known = (await fetchCatalogue()).find(({ name }) => name === server);
      if (known === undefined) throw new ApiError(404, words.unknownServer);
      setSource({ ...NO_SOURCE, address: known.address });
      return lookAtKnown(known, signal);
    });
  }, [server]);

  async function add(): Promise<void> {
    if (found === null || draft === null) return;
    const { name } = await addImport(formOf(found, draft));
    setSource(NO_SOURCE);
    forget();
    forgetLists();
    navigate(`/integrations/${encodeURIComponent(name)}`);
  }

  return (
    <Page title={words.title} lead={words.lead} before={<Back href="/" label={words.back} />}>
      <NotLoaded of={[integrations, imports]} />
      <div class="import-add">
        {found === null || draft === null ? (
          <>
            <SourceForm draft={source} busy={isLooking} onChange={setSource} onLook={() => lookAtSource()} />
            {isLooking && <Looking onStop={stop} />}
            {problem && <ErrorNotice {...problem} onRetry={() => lookAtSource()} />}
            <p class="muted" role="status">
              {said}
            </p>
          </>
        ) : (
          <FoundForm
            found={found}
            draft={draft}
            taken={new Set(integrations.data?.map(({ name }) => name))}
            mayAddForEveryone={imports.data?.forEveryone === true}
            onChange={setDraft}
            onAdd={add}
            onOther={forget}
            onLookAt={lookAt}
          />
        )}
      </div>
    </Page>
  );
}

function Looking({ onStop }: { onStop: () => void }) {
  const panel = useRef<HTMLDivElement>(null);
  useFocusFallback(panel);
  return (
    <div ref={panel} class="panel panel-line" role="status">
      <div>
        <Lamp colour="amber" blinking>
          {words.looking}
        </Lamp>
        <p class="muted">{words.lookingLead}</p>
      </div>
      <button type="button" class="button" onClick={onStop}>
        {words.stop}
      </button>
    </div>
  );
}

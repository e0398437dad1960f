// Takes a folder or a zip file that people drop anywhere on the page or choose, and opens the dialog that publishes it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { texts } from '../../../texts/texts.ts';
import { collectChosen, collectDropped } from './collect.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { type Site, SiteProblem } from './site.ts';

const words = texts.jots.publish;

interface Props {
  /** The jot that gets a new version. Without it the person names the jot. */
  jot?: string;
  /** The names of the person's jots. */
  known: readonly string[];
  onPublished: (name: string) => void;
}

export function PublishArea({ jot, known, onPublished }: Props) {
  const folder = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState('');
  const [site, setSite] = useState<Site>();

  async function read(collect: () => Promise<Site>): Promise<void> {
    setProblem('');
    setReading(true);
    try {
      setSite(await collect());
    } catch (error) {
      if (!(error instanceof SiteProblem)) throw error;
      setProblem(error.message);
    } finally {
      setReading(false);
    }
  }
  useDrops(setOver, (transfer) => void read(collectDropped(transfer)));

  function choose({ currentTarget }: { currentTarget: HTMLInputElement }): void {
    const files = [...(currentTarget.files ?? [])];
    // The same folder can be chosen again.
    currentTarget.value = '';
    if (files.length > 0) void read(() => collectChosen(files));
  }

  return (
    <div class={isOver ? 'publish-area publish-area-over' : 'publish-area'}>
      <Icon name="upload" />
      <p role="status">{isReading ? words.reading : jot === undefined ? words.lead : words.leadVersion}</p>
      <input ref={folder} type="file" hidden onChange={choose} {...{ webkitdirectory: true }} />
      <input ref={file} type="file" hidden accept=".zip,.html" onChange={choose} />
      <div class="row">
        <button type="button" class="button" onClick={() => folder.current?.click()}>
          {words.folder}
        </button>
        <button type="button" class="button" onClick={() => file.current?.click()}>
          {words.zip}
        </button>
      </div>
      {problem !== '' && <ErrorNotice message={problem} />}
      {site !== undefined && (
        <PublishDialog
          site={site}
          jot={jot}
          known={known}
          onPublished={onPublished}
          onClose={() => setSite(undefined)}
        />
      )}
    </div>
  );
}

/** A file that is dropped beside the area would otherwise replace the portal. */
function useDrops(onOver: (isOver: boolean) => void, onDrop: (transfer: DataTransfer) => void): void {
  const newest = useRef({ onOver, onDrop });
  newest.current = { onOver, onDrop };

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const isFree = (event: DragEvent) =>
      event.dataTransfer?.types.includes('Files') === true && document.querySelector('dialog[open]') === null;
    const over = (event: DragEvent) => {
      if (!isFree(event)) return;
      event.preventDefault();
      newest.current.onOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) newest.current.onOver(false);
    };
    const drop = (event: DragEvent) => {
      newest.current.onOver(false);
      if (!isFree(event) || event.dataTransfer === null) return;
      event.preventDefault();
      newest.current.onDrop(event.dataTransfer);
    };
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => ending.abort();
  }, []);
}

// Shows one call beside the list: arrow keys go to the next one, and Escape closes it and returns to its row.
import { useEffect, useRef } from 'preact/hooks';
import { fetchCall } from '../../api/calls.ts';
import { Icon } from '../../parts/icon.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { isTyping } from '../../parts/search-field.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { toolWords } from '../../parts/tool-words.ts';
import { Link } from '../../router/link.tsx';
import { setQuery } from '../../router/location.ts';
import { useResource } from '../../state/use-resource.ts';
import { streamTexts as words } from '../../texts/stream.ts';
import { callTexts } from '../../texts/call.ts';
import { OneCall } from '../call/one-call.tsx';
import '../../styles/call.css';

/** Parts of the drawer that use arrow keys themselves. */
const OWN_ARROWS = '[role=tree], [role=tablist], [role=slider], [role=menu], .json-panel';
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

export const rowOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-call="${CSS.escape(id)}"]`);

interface Props {
  id: string;
  /** The ids of the calls in the list, in its order. */
  ids: readonly number[];
}

export function Drawer({ id, ids }: Props) {
  const call = useResource(`call ${id}`, () => fetchCall(id));
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error } = call;

  useEffect(() => {
    // A person who walks with the list under the keyboard stays there.
    if (document.activeElement?.closest('.calls') === null || !isWalking(id))
      heading.current?.focus({ preventScroll: true });
    rowOf(id)?.scrollIntoView({ block: 'nearest' });
  }, [id]);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target } = event;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(target))
        return;
      if (document.querySelector(':popover-open') !== null) return;
      if (key === 'Escape') close(id);
      const step = STEPS[key];
      const inList = target instanceof Element && target.closest('.calls') !== null;
      if (step === undefined || inList || (target instanceof Element && target.closest(OWN_ARROWS) !== null))
        return;
      const next = ids[ids.indexOf(Number(id)) + step];
      if (next === undefined) return;
      event.preventDefault();
      setQuery({ call: String(next) });
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [id, ids]);

  return (
    <aside class="call-drawer" aria-label={words.drawer}>
      <div class="call-drawer-head">
        <h2 ref={heading} tabIndex={-1}>
          {data === undefined ? words.drawer : toolWords(data.tool, data.integration)}
        </h2>
        <Link
          href={`/activity/${encodeURIComponent(id)}`}
          class="icon-button"
          aria-label={words.openPage}
          title={words.openPage}
        >
          <Icon name="outside" />
        </Link>
        <button
          type="button"
          class="icon-button"
          aria-label={words.close}
          title={words.close}
          onClick={() => close(id)}
        >
          <Icon name="close" />
        </button>
      </div>
      <p class="visually-hidden">{words.walk}</p>
      {error?.status === 404 ? <p class="muted">{callTexts.missingHelp}</p> : <NotLoaded of={[call]} />}
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      {data !== undefined && <OneCall call={data} />}
    </aside>
  );
}

const isWalking = (id: string): boolean => rowOf(id)?.contains(document.activeElement) ?? false;

function close(id: string): void {
  setQuery({ call: '' });
  // The row may be far away, and then it is not in the document.
  requestAnimationFrame(() =>
    (rowOf(id) ?? document.querySelector<HTMLElement>('h1'))?.focus({ preventScroll: true }),
  );
}

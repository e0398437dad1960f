// Says that there are no calls, and what the person can do.
import { useRef } from 'preact/hooks';
import { Empty } from '../../parts/empty.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.activity;

export function NoCalls() {
  return (
    <Empty icon="activity" title={words.noneTitle} lead={words.noneLead}>
      <Link href="/tools" class="button">
        {words.noneAction}
      </Link>
    </Empty>
  );
}

export function NoFailures() {
  return <Empty icon="activity" title={words.noFailuresTitle} lead={words.noFailuresLead} />;
}

export function NoMatch({ onClear }: { onClear: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusFallback(button);
  return (
    <Empty icon="activity" title={words.noMatchTitle} lead={words.noMatchLead}>
      <button ref={button} type="button" class="button" onClick={onClear}>
        {words.clearFilters}
      </button>
    </Empty>
  );
}

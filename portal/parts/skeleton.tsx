// Shows grey blocks while a page loads.
import { texts } from '../texts/texts.ts';

export function Skeleton({ rows, kind = 'rows' }: { rows: number; kind?: 'rows' | 'cards' }) {
  return (
    <div class={`skeleton skeleton-${kind}`} role="status">
      <span class="visually-hidden">{texts.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="skeleton-block" />
      ))}
    </div>
  );
}

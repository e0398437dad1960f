// Lists what is worth knowing about a service, such as texts that were cleaned. Long lists are cut.
import { LongText } from '../../parts/long-text.tsx';

const MAX_OPEN = 3;

interface Props {
  title: string;
  warnings: readonly string[];
  /** Set where the person is about to accept what the warnings are about. */
  isAmber?: boolean;
}

export function Warnings({ title, warnings, isAmber = false }: Props) {
  if (warnings.length === 0) return null;
  const items = (
    <ul>
      {warnings.map((warning, index) => (
        // The same warning may appear twice.
        <li key={index}>
          <LongText text={warning} />
        </li>
      ))}
    </ul>
  );
  return (
    <section class={isAmber ? 'warnings warnings-amber' : 'warnings'} aria-label={title}>
      {warnings.length <= MAX_OPEN ? (
        <>
          <h3>{title}</h3>
          {items}
        </>
      ) : (
        <details>
          <summary>
            {title} ({warnings.length})
          </summary>
          {items}
        </details>
      )}
    </section>
  );
}

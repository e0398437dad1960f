// Lists what is worth knowing about a service, such as texts that were cleaned. Long lists are cut.
import { LongText } from '../../parts/long-text.tsx';
import { importsTexts } from '../../texts/imports.ts';

const MAX_OPEN = 3;

export function Warnings({ warnings }: { warnings: readonly string[] }) {
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
  const title = `${importsTexts.add.warnings} (${warnings.length})`;
  return (
    <section class="warnings" aria-label={importsTexts.add.warnings}>
      {warnings.length <= MAX_OPEN ? (
        <>
          <h3>{importsTexts.add.warnings}</h3>
          {items}
        </>
      ) : (
        <details>
          <summary>{title}</summary>
          {items}
        </details>
      )}
    </section>
  );
}

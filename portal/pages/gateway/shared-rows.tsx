// Lists the services that were added for everyone.
import type { VNode } from 'preact';
import type { ImportEntry } from '../../api/imports.ts';
import { Link } from '../../router/link.tsx';
import { gatewayTexts as words } from '../../texts/gateway.ts';
import { texts } from '../../texts/texts.ts';

export function ImportRows({ imports }: { imports: readonly ImportEntry[] }) {
  return (
    <SharedRows id="imports" title={words.imports} none={words.noImports}>
      {imports.map(({ name, displayName, kind }) => (
        <SharedRow key={name} name={name} displayName={displayName}>
          <span class="muted">{texts.integrations.kinds[kind]}</span>
        </SharedRow>
      ))}
    </SharedRows>
  );
}

interface RowsProps {
  id: string;
  title: string;
  none: string;
  children: VNode[];
}

function SharedRows({ id, title, none, children }: RowsProps) {
  return (
    <section class="section" aria-labelledby={id}>
      <h2 id={id} class="section-title">
        {title}
      </h2>
      {children.length === 0 ? (
        <p class="muted">{none}</p>
      ) : (
        <ul class="rows" aria-label={title}>
          {children}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  name: string;
  displayName: string;
  children: VNode | VNode[];
}

function SharedRow({ name, displayName, children }: RowProps) {
  return (
    <li>
      <Link href={`/integrations/${encodeURIComponent(name)}`} class="shared-row">
        <span class="shared-name">{displayName}</span>
        {children}
      </Link>
    </li>
  );
}

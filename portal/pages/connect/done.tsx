// Says that the connection of a used link exists.
import type { WithState } from '../../connect/state.ts';
import { Logo } from '../../parts/logo.tsx';
import { Link } from '../../router/link.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.connectLink;

export function Done({ integration: { name, displayName, logo } }: { integration: WithState }) {
  return (
    <Page
      title={words.done.title(displayName)}
      lead={words.done.lead(displayName)}
      before={<Logo src={logo} name={displayName} />}
    >
      <Link href={`/integrations/${encodeURIComponent(name)}`} class="button">
        {words.done.open(displayName)}
      </Link>
    </Page>
  );
}

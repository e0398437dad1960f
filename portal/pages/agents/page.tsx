// Shows who can call the person's tools: applications that signed in, and keys.
import { Tabs } from '../../parts/tabs.tsx';
import { Link } from '../../router/link.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { Applications } from './applications.tsx';
import { Keys } from './keys.tsx';

const words = texts.agents;
const PARTS = (['applications', 'keys'] as const).map((key) => ({ key, label: words.parts[key] }));

export function AgentsPage() {
  const isKeys = useLocation().query.get('show') === 'keys';
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Link href="/rules" class="button">
          {words.rules}
        </Link>
      }
    >
      <Tabs
        label={words.parts.label}
        tabs={PARTS}
        chosen={isKeys ? 'keys' : 'applications'}
        // A search belongs to one of the lists.
        onChoose={(key) => setQuery({ show: key === 'keys' ? key : '', new: '', q: '' })}
      >
        {isKeys ? <Keys /> : <Applications />}
      </Tabs>
    </Page>
  );
}

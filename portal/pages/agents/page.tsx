// Shows who can call the person's tools: applications that signed in, and keys.
import { useRef } from 'preact/hooks';
import { fetchNamedKeys } from '../../api/agent-keys.ts';
import { fetchAgents } from '../../api/agents.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { Link } from '../../router/link.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { Applications } from './applications.tsx';
import { Keys } from './keys.tsx';

const words = texts.agents;
const PARTS = ['applications', 'keys'] as const;
type Part = (typeof PARTS)[number];

export function AgentsPage() {
  const agents = useResource('agents', fetchAgents);
  const keys = useResource('named keys', fetchNamedKeys);
  const counts = { applications: agents.data?.length, keys: keys.data?.length };
  const asked = useLocation().query.get('show');
  // Decided once: the last client that somebody disconnects must not change the list below them.
  const first = useRef<Part | undefined>(undefined);
  if (agents.data !== undefined && keys.data !== undefined)
    first.current ??= agents.data.length === 0 && keys.data.length > 0 ? 'keys' : 'applications';
  const shown = PARTS.find((part) => part === asked) ?? first.current ?? 'applications';
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <Link href="/sets" class="button">
            {words.sets}
          </Link>
          <Link href="/scripts" class="button">
            {words.scripts}
          </Link>
          <Link href="/rules" class="button">
            {words.rules}
          </Link>
        </>
      }
    >
      <Tabs
        label={words.parts.label}
        tabs={PARTS.map((key) => ({ key, label: words.parts.counted(words.parts[key], counts[key]) }))}
        chosen={shown}
        // A search belongs to one of the lists.
        onChoose={(key) => setQuery({ show: key, new: '', q: '' })}
      >
        {shown === 'keys' ? <Keys keys={keys} /> : <Applications agents={agents} />}
      </Tabs>
    </Page>
  );
}

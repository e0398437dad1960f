// Shows what agents may do: what holds in general, and the exceptions. Administrators also set it for everyone.
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { useRules, useRulesForEveryone } from '../../state/use-policy.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { Exceptions } from './exceptions.tsx';
import { GeneralRules } from './general-rules.tsx';
import { OutsideRules } from './outside.tsx';
import { RulesForGroups } from './rules-for-groups.tsx';
import { RulesForEveryone } from './rules-for-everyone.tsx';
import '../../styles/rules.css';

const words = rulesTexts;
const OWNERS = (['me', 'everyone'] as const).map((key) => ({ key, label: words.owners[key] }));

export function RulesPage() {
  const own = useRules();
  const forEveryone = useRulesForEveryone();
  const isAdministrator = forEveryone.data !== undefined && forEveryone.data !== null;
  const asked = useLocation().query.get('for');
  const owner = isAdministrator && asked === 'everyone' ? 'everyone' : 'me';
  const rules = owner === 'me' ? own.data?.rules : forEveryone.data?.rules;
  const everyone = (owner === 'me' && own.data?.everyone) || [];
  const isKnown = forEveryone.data !== undefined || forEveryone.error !== undefined;

  const shown = rules !== undefined && (
    <>
      <p class="muted rules-about">{words.about[owner]}</p>
      {everyone.length > 0 && <RulesForEveryone rules={everyone} />}
      <GeneralRules key={owner} owner={owner} rules={rules} everyone={everyone} />
      <OutsideRules key={`outside ${owner}`} owner={owner} rules={rules} />
      <Exceptions key={`exceptions ${owner}`} owner={owner} rules={rules} />
      {owner === 'everyone' && <RulesForGroups rules={rules} known={forEveryone.data?.groups ?? []} />}
    </>
  );

  return (
    <Page title={words.title} lead={words.lead} before={<Back href="/agents" label={words.back} />}>
      <NotLoaded of={[own, forEveryone]} />
      {(own.data === undefined || !isKnown) && own.error === undefined && <Skeleton rows={5} />}
      {isKnown &&
        (isAdministrator ? (
          <Tabs
            label={words.owners.label}
            tabs={OWNERS}
            chosen={owner}
            onChoose={(key) => setQuery({ for: key === 'me' ? '' : key, q: '' })}
          >
            {shown}
          </Tabs>
        ) : (
          shown
        ))}
    </Page>
  );
}

// Shows one set: its address, its tools and their size, who uses it, and the lines that connect a client to it.
import { useState } from 'preact/hooks';
import { changeSet, deleteSet, type DetailedSet, fetchSet } from '../../api/sets.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { navigate, useLocation } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { usePollOf } from '../../state/use-poll.ts';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { useResource } from '../../state/use-resource.ts';
import { setsTexts } from '../../texts/sets.ts';
import { ClientPanel } from '../clients/client-panel.tsx';
import { AddTools } from './add-tools.tsx';
import { SetKey } from './set-key.tsx';
import { SetServers } from './set-servers.tsx';
import { SetTools } from './set-tools.tsx';
import { SetUses } from './set-uses.tsx';
import '../../styles/keys.css';
import '../../styles/sets.css';

const words = setsTexts;
const NUMBER = new Intl.NumberFormat('en-GB');

export function SetPage({ params }: PageProps) {
  const name = params['name'] ?? '';
  const whose = useLocation().query.get('for');
  const set = useResource(`set ${whose ?? ''} ${name}`, () => fetchSet(name, whose));
  usePollOf(set);
  const { data, error } = set;

  if (error?.status === 404)
    return (
      <Page
        title={words.one.missingTitle}
        lead={words.one.missingLead}
        before={<Back href="/sets" label={words.back} />}
      >
        <Link href="/sets" class="button">
          {words.one.goBack}
        </Link>
      </Page>
    );
  return (
    <Page
      title={data?.title ?? name}
      tabTitle={data?.title ?? name}
      lead={data === undefined || data.description === '' ? undefined : data.description}
      before={<Back href="/sets" label={words.back} />}
      actions={
        data && <CopyButton label={words.one.copyAddress} text={() => data.url} of={words.one.addressOf} />
      }
    >
      <NotLoaded of={[set]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      {data && <Parts set={data} onChanged={set.reload} />}
    </Page>
  );
}

function Parts({ set, onChanged }: { set: DetailedSet; onChanged: () => void }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const isAdministrator = useIsAdministrator();
  const canChange = set.for === 'me' || isAdministrator;
  const { tokens } = set.size;
  const listed = set.listed.filter(({ state }) => state === 'listed').length;

  async function choose(tools: string[], said: string): Promise<void> {
    await changeSet(set, { tools });
    setOutcome({ words: said, takesFocus: true });
    onChanged();
  }

  return (
    <>
      <section class="panel set-facts" aria-label={words.one.address}>
        <p class="set-address">{set.url}</p>
        <p class="muted">
          {words.one.size(listed, NUMBER.format(tokens))}{' '}
          {set.for === 'everyone' && <Lamp colour="off">{words.ofTeam}</Lamp>}
        </p>
        <p class="muted set-counted">{words.one.counted}</p>
      </section>
      {canChange && (
        <AddTools chosen={set.tools} onAdd={(tool) => choose([...set.tools, tool], words.one.added(tool))} />
      )}
      <OutcomeLine outcome={outcome} />
      <SetTools
        tools={set.listed}
        onRemove={
          canChange
            ? (tool) =>
                choose(
                  set.tools.filter((each) => each !== tool),
                  words.one.removedTool(tool),
                )
            : undefined
        }
      />
      <SetServers set={set} canChange={canChange} onChanged={onChanged} />
      <SetUses uses={set.uses} />
      <SetKey set={set} />
      <div class="section">
        <ClientPanel set={set.name} />
      </div>
      {canChange && (
        <div class="section">
          <ConfirmButton
            quiet
            label={words.one.remove}
            title={words.one.removeTitle(set.title)}
            onConfirm={async () => {
              await deleteSet(set);
              navigate('/sets');
            }}
          >
            <p>{words.one.removeEffect}</p>
            <p>{words.one.removeLeft}</p>
          </ConfirmButton>
        </div>
      )}
    </>
  );
}

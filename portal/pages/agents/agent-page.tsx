// Shows one agent: what it did, and what it may do, which the person changes in place. One switch pauses it.
import { useState } from 'preact/hooks';
import { deleteNamedKey, pauseNamedKey } from '../../api/agent-keys.ts';
import { pauseAgent, revokeAgent } from '../../api/agents.ts';
import { AgentMark } from '../../parts/agent-mark.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { explain } from '../../parts/error-notice.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { agentPagesTexts as words } from '../../texts/agent-pages.ts';
import { keysTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import { AgentDid } from './agent-did.tsx';
import { AgentMay } from './agent-may.tsx';
import { type Caller, type Callers, useCallers } from './callers.ts';
import '../../styles/keys.css';
import '../../styles/agents.css';

export function AgentPage({ params }: PageProps) {
  const callers = useCallers();
  const { keys, agents, hasKey, all } = callers;
  const caller = all?.find(({ actor }) => actor === params['id']);
  const [gone, setGone] = useState<{ name: string; words: string }>();
  const back = <Back href="/agents" label={words.back} />;
  const isLoading = all === undefined || (params['id'] === 'key' && hasKey.data === undefined);

  if (gone !== undefined) return <Page title={gone.name} lead={gone.words} before={back} />;
  if (caller === undefined)
    return (
      <Page
        title={isLoading ? texts.agents.title : words.missingTitle}
        lead={isLoading ? undefined : words.missingLead}
        before={back}
      >
        <NotLoaded of={[keys, agents, hasKey]} />
        {isLoading && keys.error === undefined && agents.error === undefined && <Skeleton rows={6} />}
        {!isLoading && (
          <Link href="/agents" class="button">
            {words.goBack}
          </Link>
        )}
      </Page>
    );
  return (
    <Page
      title={caller.name}
      lead={words.techniques[caller.technique]}
      before={
        <>
          {back}
          <AgentMark name={caller.name} />
        </>
      }
      actions={
        caller.technique !== 'personal' && <Pause key={caller.actor} caller={caller} callers={callers} />
      }
    >
      {caller.isPaused && (
        <p class="notice">
          <Lamp colour="amber">{words.pausedSince}</Lamp>
        </p>
      )}
      <div class="agent-page">
        <AgentDid caller={caller} />
        <div class="agent-side">
          {caller.technique === 'personal' ? (
            <Personal />
          ) : (
            <AgentMay key={caller.actor} caller={caller} callers={callers} />
          )}
          <End
            caller={caller}
            callers={callers}
            onGone={(said) => setGone({ name: caller.name, words: said })}
          />
        </div>
      </div>
    </Page>
  );
}

function Pause({ caller, callers }: { caller: Caller; callers: Callers }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const { name, isPaused, key, client } = caller;

  async function toggle(): Promise<void> {
    setBusy(true);
    setOutcome(undefined);
    try {
      await pause(caller, callers);
      setOutcome({ words: (isPaused ? words.resumedNow : words.pausedNow)(name) });
    } catch (error) {
      setOutcome({ words: explain(error) });
    } finally {
      setBusy(false);
    }
  }

  if (key === undefined && client === undefined) return null;
  return (
    <div class="pause">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={isPaused}
        aria-label={words.pauseOf(name)}
        aria-disabled={busy}
        onClick={() => {
          if (!busy) void toggle();
        }}
      >
        <span class="switch-track" aria-hidden="true" />
        {words.pause}
      </button>
      <OutcomeLine outcome={outcome} />
    </div>
  );
}

async function pause({ isPaused, key, client }: Caller, { keys, agents }: Callers): Promise<void> {
  if (key !== undefined) {
    const now = await pauseNamedKey(key.id, !isPaused);
    keys.change((all) => all.map((each) => (each.id === now.id ? now : each)));
  } else if (client !== undefined) {
    const now = await pauseAgent(client.client_id, !isPaused);
    agents.change((all) => all.map((each) => (each.client_id === now.client_id ? now : each)));
  }
}

function Personal() {
  return (
    <section class="panel" aria-labelledby="may">
      <h2 id="may">{words.may}</h2>
      <p>{words.personalLead}</p>
      <p class="agent-actions">
        <Link href="/clients" class="button button-primary">
          {words.replace}
        </Link>
        <Link href="/settings">{words.settings}</Link>
      </p>
    </section>
  );
}

interface EndProps {
  caller: Caller;
  callers: Callers;
  onGone: (words: string) => void;
}

function End({ caller: { name, key, client }, callers: { keys, agents }, onGone }: EndProps) {
  if (key !== undefined)
    return (
      <ConfirmButton
        quiet
        label={keysTexts.remove}
        named={keysTexts.removeOf(name)}
        title={keysTexts.removeTitle(name)}
        onConfirm={async () => {
          await deleteNamedKey(key.id);
          onGone(keysTexts.removed(name));
          keys.change((all) => all.filter(({ id }) => id !== key.id));
        }}
      >
        <p>{keysTexts.removeEffect(name)}</p>
        <p>{keysTexts.removeLeft}</p>
      </ConfirmButton>
    );
  if (client === undefined) return null;
  return (
    <ConfirmButton
      quiet
      label={texts.agents.disconnect}
      named={texts.agents.disconnectOf(name)}
      title={texts.agents.disconnectTitle(name)}
      onConfirm={async () => {
        await revokeAgent(client.client_id);
        onGone(texts.agents.disconnected(name));
        agents.change((all) => all.filter(({ client_id }) => client_id !== client.client_id));
      }}
    >
      <p>{texts.agents.disconnectEffect(name)}</p>
      <p>{texts.agents.disconnectLate}</p>
    </ConfirmButton>
  );
}

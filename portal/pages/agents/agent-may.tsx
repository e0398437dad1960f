// Shows what one agent may do, and changes it in place.
import { useState } from 'preact/hooks';
import { changeNamedKey } from '../../api/agent-keys.ts';
import { limitAgent, type Limits } from '../../api/agents.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { Logo } from '../../parts/logo.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useResource } from '../../state/use-resource.ts';
import { agentPagesTexts as words } from '../../texts/agent-pages.ts';
import { keysTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import type { Caller, Callers } from './callers.ts';
import { ceilingOf, describeLimits, formatDay } from './describe-limits.ts';
import { draftOf } from './limits-draft.ts';
import { LimitsForm } from './limits-form.tsx';

export function AgentMay({ caller, callers }: { caller: Caller; callers: Callers }) {
  const [isEditing, setEditing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <section class="panel" aria-labelledby="may">
      <div class="panel-head">
        <h2 id="may">{words.may}</h2>
        {!isEditing && (
          <button
            type="button"
            class="button"
            aria-label={words.editOf(caller.name)}
            onClick={() => {
              setOutcome(undefined);
              setEditing(true);
            }}
          >
            {words.edit}
          </button>
        )}
      </div>
      {isEditing ? (
        <Edit
          caller={caller}
          callers={callers}
          onDone={(said) => {
            setEditing(false);
            setOutcome(said);
          }}
        />
      ) : (
        <Facts caller={caller} />
      )}
      <OutcomeLine outcome={outcome} />
    </section>
  );
}

function Facts({ caller: { limits, addedAt, usedAt, client } }: { caller: Caller }) {
  const { data: integrations = [] } = useResource('integrations', fetchIntegrations);
  const { access = 'destroy', integrations: names, perMinute, expiresAt } = limits;
  const known = new Map(integrations.map((each) => [each.name, each]));
  const { integrations: _, access: __, perMinute: ___, expiresAt: ____, ...tools } = limits;
  const { facts } = words;
  const end =
    client === undefined || client.limits.expiresAt !== undefined
      ? expiresAt === undefined
        ? facts.never
        : formatDay(expiresAt)
      : facts.ifUnused(formatDay(client.expires_at));
  return (
    <dl class="agent-facts-list">
      <dt>{facts.access}</dt>
      <dd>{keysTexts.form.accesses[access].name}</dd>
      <dt>{facts.integrations}</dt>
      <dd>
        {names === undefined ? (
          words.everything
        ) : (
          <ul class="agent-integrations">
            {names.map((name) => {
              const shown = known.get(name)?.displayName ?? name;
              return (
                <li key={name}>
                  <Logo src={known.get(name)?.logo ?? null} name={shown} />
                  {shown}
                </li>
              );
            })}
          </ul>
        )}
      </dd>
      {(tools.set !== undefined || (tools.rules?.length ?? 0) > 0) && (
        <>
          <dt>{facts.tools}</dt>
          <dd>{describeLimits({ ...tools, access: 'destroy' }, (name) => name).join(' · ')}</dd>
        </>
      )}
      <dt>{facts.expires}</dt>
      <dd>{end}</dd>
      <dt>{facts.rate}</dt>
      <dd>{perMinute === undefined ? facts.noLimit : keysTexts.limits.rate(perMinute)}</dd>
      <dt>{facts.created}</dt>
      <dd>
        <RelativeTime at={addedAt} />
      </dd>
      <dt>{facts.used}</dt>
      <dd>
        <LastUse words={{ lastUsed: '', neverUsed: keysTexts.neverUsed }} at={usedAt} />
      </dd>
      {client !== undefined && (
        <>
          <dt>{facts.id}</dt>
          <dd class="agent-id">{client.client_id}</dd>
        </>
      )}
    </dl>
  );
}

interface EditProps {
  caller: Caller;
  callers: Callers;
  onDone: (outcome?: Outcome) => void;
}

function Edit({ caller, callers: { keys, agents }, onDone }: EditProps) {
  const { key, client } = caller;
  const stored: Limits = client?.limits ?? limitsOfKey(caller);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const [name, setName] = useState(caller.name);
  const [nameProblem, setNameProblem] = useState('');
  const ceiling = client === undefined ? undefined : ceilingOf(client.scopes);

  async function save(limits: Limits): Promise<void> {
    if (key !== undefined) {
      const now = await changeNamedKey(key.id, { name: name.trim(), ...limits });
      keys.change((all) => all.map((each) => (each.id === now.id ? now : each)));
    } else if (client !== undefined) {
      const now = await limitAgent(client.client_id, limits);
      agents.change((all) => all.map((each) => (each.client_id === now.client_id ? now : each)));
    }
    onDone({ words: words.saved(key === undefined ? caller.name : name.trim()), takesFocus: true });
  }

  return (
    <LimitsForm
      draft={draft}
      stored={stored}
      submitLabel={keysTexts.form.save}
      onChange={setDraft}
      check={() => {
        const found = key !== undefined && name.trim() === '' ? keysTexts.form.nameMissing : '';
        setNameProblem(found);
        return found === '' ? {} : { name: found };
      }}
      onSubmit={save}
      onCancel={() => onDone()}
    >
      <p class="muted">{texts.agents.changeEffect}</p>
      {ceiling !== undefined && (
        <p>
          <Lamp colour="amber">{texts.agents.ceiling[ceiling]}</Lamp>
        </p>
      )}
      {key !== undefined && (
        <ConnectFieldRow
          field={{ key: 'name', kind: 'text', label: words.nameLabel, required: true }}
          value={name}
          problem={nameProblem}
          onChange={(value) => {
            setNameProblem('');
            setName(value);
          }}
        />
      )}
    </LimitsForm>
  );
}

/** The row of a key has its limits beside its name. */
function limitsOfKey({ limits }: Caller): Limits {
  const { integrations, access, rules, set, perMinute, expiresAt } = limits;
  return { integrations, access, rules, set, perMinute, expiresAt };
}

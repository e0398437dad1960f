// Lets an administrator connect an integration for the team, and say who may use it and for what.
import { useEffect, useState } from 'preact/hooks';
import type { Access } from '../../api/tools.ts';
import {
  changeTeamConnection,
  checkTeamConnection,
  disconnectTeam,
  fetchTeamConnections,
  type TeamConnection,
} from '../../api/team.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { hasWay, type WithState } from '../../connect/state.ts';
import { AccountLamp } from '../../parts/account-lamp.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RadioChoices } from '../../parts/radio-choices.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useResource } from '../../state/use-resource.ts';
import { teamTexts } from '../../texts/team.ts';
import { texts } from '../../texts/texts.ts';
import { describeTest } from './describe-test.ts';
import '../../styles/integration.css';

const words = teamTexts;

interface Props {
  integration: WithState;
  /** Changes when something was connected. */
  version: number;
  onConnect: () => void;
  onChange: () => void;
}

export function TeamPanel({ integration, version, onConnect, onChange }: Props) {
  const { displayName, name } = integration;
  // All of them: asking for one that is not there would be an error in the console of the browser.
  const team = useResource('team connections', fetchTeamConnections);
  const stored = team.data?.find((each) => each.integration === name) ?? (team.data && null);
  useEffect(() => {
    if (version > 0) team.reload();
  }, [version]);

  function show(now: TeamConnection | null): void {
    const others = (all: TeamConnection[]) => all.filter((each) => each.integration !== name);
    team.change((all) => [...others(all), ...(now === null ? [] : [now])]);
  }

  const [outcome, setOutcome] = useState<Outcome>();

  async function check(): Promise<void> {
    const now = await checkTeamConnection(name);
    show(now);
    setOutcome(describeTest(now, displayName));
    onChange();
  }

  async function end(): Promise<void> {
    await disconnectTeam(name);
    show(null);
    setOutcome({ words: texts.connection.ended.here(displayName), takesFocus: true });
    onChange();
  }

  return (
    <section class="panel accounts" aria-labelledby="team">
      <h2 id="team">{words.title}</h2>
      <p class="muted">{words.lead(displayName)}</p>
      <NotLoaded of={[team]} />
      {stored === undefined && team.error === undefined && <Skeleton rows={2} />}
      {stored === null && <p>{words.none}</p>}
      {stored && <TeamFacts team={stored} />}
      <OutcomeLine outcome={outcome} />
      {stored !== undefined && (
        <div class="row account-actions">
          {stored && <ActionButton label={texts.connection.test} onAct={check} />}
          {hasWay(integration) && (
            <button type="button" class="button" onClick={onConnect}>
              {stored ? words.connectAgain : words.connect}
            </button>
          )}
          {stored && (
            <ConfirmButton
              label={texts.connection.disconnect}
              title={words.disconnectTitle(displayName)}
              onConfirm={end}
            >
              <p>{words.disconnectEffect(displayName)}</p>
            </ConfirmButton>
          )}
        </div>
      )}
      {stored && (
        <TeamRule
          key={stored.connectedAt}
          team={stored}
          onSave={async (change) => {
            show(await changeTeamConnection(name, change));
            setOutcome({ words: words.saved(displayName), takesFocus: true });
            onChange();
          }}
        />
      )}
    </section>
  );
}

function TeamFacts({ team }: { team: TeamConnection }) {
  const { account, cause, connectedAt, connectedBy, lastUsedAt, status = 'unverified' } = team;
  return (
    <div>
      <p class="account-marks">
        <AccountLamp status={status} />
        {account !== undefined && (
          <span>
            {words.signedInAs} <strong>{account.label}</strong>
          </span>
        )}
      </p>
      {cause !== undefined && status !== 'ok' && (
        <p class={status === 'reconnect' ? 'connection-cause connection-refused' : 'connection-cause'}>
          {cause}
        </p>
      )}
      <p class="muted connection-times">
        <span>
          {words.connectedBy} {connectedBy?.email ?? words.somebody}, <RelativeTime at={connectedAt} />
        </span>
        <span>
          {lastUsedAt === undefined ? (
            words.neverUsed
          ) : (
            <>
              {words.lastUsed} <RelativeTime at={lastUsedAt} />
            </>
          )}
        </span>
      </p>
    </div>
  );
}

type Who = keyof typeof words.whoChoices;

interface RuleProps {
  team: TeamConnection;
  onSave: (change: { who: 'everyone' | string[]; access: Access }) => Promise<void>;
}

function TeamRule({ team, onSave }: RuleProps) {
  const [who, setWho] = useState<Who>(whoOf(team));
  const [people, setPeople] = useState(addressesOf(team).join('\n'));
  const [access, setAccess] = useState<Access>(team.access);
  const [missing, setMissing] = useState('');

  async function save(): Promise<void> {
    const named = people.split(/[\s,;]+/).filter((text) => text !== '');
    if (who === 'people' && named.length === 0) return setMissing(words.peopleMissing);
    setMissing('');
    const chosen = { everyone: 'everyone' as const, nobody: [], people: named };
    await onSave({ who: chosen[who], access });
  }

  return (
    <div class="team-rule">
      <RadioChoices legend={words.who} choices={choicesOf(words.whoChoices)} chosen={who} onChoose={setWho} />
      {who === 'people' && (
        <ConnectFieldRow
          field={{
            key: 'people',
            kind: 'json',
            label: words.people,
            required: true,
            help: words.peopleHelp,
          }}
          value={people}
          problem={missing}
          onChange={(value) => {
            setMissing('');
            setPeople(value);
          }}
        />
      )}
      <RadioChoices
        legend={words.access}
        choices={choicesOf(words.accessChoices)}
        chosen={access}
        onChoose={setAccess}
      />
      <div class="row">
        <ActionButton primary label={words.save} onAct={save} />
      </div>
    </div>
  );
}

function whoOf({ who }: TeamConnection): Who {
  if (who === 'everyone') return 'everyone';
  return who.length === 0 ? 'nobody' : 'people';
}

/** Somebody whose address is not known stays on the list by their id. */
const addressesOf = ({ who }: TeamConnection): string[] =>
  who === 'everyone' ? [] : who.map(({ email, id }) => email ?? id);

function choicesOf<K extends string>(choices: Record<K, { name: string; about: string }>) {
  // The keys of a record of texts are its own names.
  const entries = Object.entries(choices) as [K, { name: string; about: string }][];
  return entries.map(([value, text]) => ({ value, ...text }));
}

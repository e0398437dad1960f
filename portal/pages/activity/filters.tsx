// Chooses which calls to show. The address carries the choice, so people can bookmark and share it.
import { fetchConnections, type Integration } from '../../api/integrations.ts';
import type { AuditEntry } from '../../api/audit.ts';
import { setQuery } from '../../router/location.ts';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { useAgentChoices } from './agents.ts';
import type { Choice } from './choice.ts';
import { SelectFilter } from '../../parts/select-filter.tsx';
import { TimeFilter } from './time-filter.tsx';
import { PersonFilter, Whose } from './whose.tsx';

const words = texts.activity;
const OUTCOMES = ['error', 'blocked', 'asked', 'approved', 'denied', 'expired', 'unknown'] as const;

interface Props {
  choice: Choice;
  integrations: readonly Integration[] | undefined;
  entries: readonly AuditEntry[];
}

export function Filters({ choice, integrations = [], entries }: Props) {
  const { ofAll, integration, client, account } = choice;
  const isAdministrator = useIsAdministrator();
  const agents = useAgentChoices(ofAll, entries, client);
  const accounts = useAccountChoices(entries, account);
  const known = integrations.map(({ name, displayName }) => ({ value: name, label: displayName }));
  const isKnown = integration === '' || known.some(({ value }) => value === integration);
  return (
    <div class="filters" role="group" aria-label={words.filters}>
      {(isAdministrator || ofAll) && <Whose of={ofAll ? 'everybody' : ''} />}
      {ofAll && <PersonFilter chosen={choice.person} entries={entries} />}
      <TimeFilter choice={choice} />
      <SelectFilter
        label={words.integration}
        any={words.anyIntegration}
        choices={isKnown ? known : [...known, { value: integration, label: integration }]}
        chosen={integration}
        onChoose={(chosen) => setQuery({ integration: chosen })}
      />
      <OutcomeFilter choice={choice} />
      <SelectFilter
        label={words.agent}
        any={words.anyAgent}
        choices={agents}
        chosen={client}
        onChoose={(chosen) => setQuery({ client: chosen })}
      />
      {accounts.length > 0 && (
        <SelectFilter
          label={words.account}
          any={words.anyAccount}
          choices={accounts}
          chosen={account}
          onChoose={(chosen) => setQuery({ account: chosen })}
        />
      )}
    </div>
  );
}

/** A group of failures has no outcome that succeeded. */
function OutcomeFilter({ choice: { success, outcome, isGrouped } }: Pick<Props, 'choice'>) {
  const bySuccess = [
    { value: 'true', label: words.succeeded },
    { value: 'false', label: words.notSucceeded },
  ];
  const outcomes = isGrouped ? OUTCOMES.filter((each) => each !== 'approved') : OUTCOMES;
  const byOutcome = outcomes.map((value) => ({
    value,
    label: words[value === 'error' ? 'failed' : value],
  }));
  const isKnown = outcome === '' || byOutcome.some(({ value }) => value === outcome);
  const others = isKnown ? [] : [{ value: outcome, label: outcome === 'ok' ? words.succeeded : outcome }];
  return (
    <SelectFilter
      label={words.outcome}
      any={words.anyOutcome}
      choices={[...(isGrouped ? [] : bySuccess), ...byOutcome, ...others]}
      chosen={outcome === '' && !isGrouped ? success : outcome}
      onChoose={(chosen) =>
        setQuery(
          chosen === 'true' || chosen === 'false'
            ? { success: chosen, outcome: '' }
            : { success: '', outcome: chosen },
        )
      }
    />
  );
}

/** Rows name an account only where the person had several. */
function useAccountChoices(entries: readonly AuditEntry[], chosen: string) {
  const { data: connections = [] } = useResource('connections', fetchConnections);
  const connected = connections.flatMap(({ accounts = [] }) => accounts.map(({ label }) => label));
  const called = entries.map(({ account = '' }) => account);
  const labels = new Set([...connected, ...called, chosen].filter((label) => label !== ''));
  return [...labels].toSorted().map((label) => ({ value: label, label }));
}

// Lists the trusted issuers, trusts another one, and ends them.
import { useState } from 'preact/hooks';
import type { NamedKey } from '../../api/agent-keys.ts';
import { endTrustedIssuer, type TrustedIssuer } from '../../api/machines.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { type RemovedRow, Rows } from '../../parts/rows.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import type { Resource } from '../../state/use-resource.ts';
import { machinesTexts } from '../../texts/machines.ts';
import { IssuerRow } from './issuer-row.tsx';
import { NeedsKey } from './needs-key.tsx';
import { NewIssuer } from './new-issuer.tsx';
import { TokenTester } from './token-tester.tsx';

const words = machinesTexts.issuers;
const NEW = 'new';

interface Props {
  issuers: Resource<TrustedIssuer[]>;
  keys: readonly NamedKey[] | undefined;
}

export function Issuers({ issuers, keys }: Props) {
  const isMaking = useLocation().query.get(NEW) === 'issuer';
  const [removed, setRemoved] = useState<RemovedRow>();
  const [outcome, setOutcome] = useState<Outcome>();
  const all = issuers.data ?? [];

  async function end({ id, name }: TrustedIssuer, at: number): Promise<void> {
    await endTrustedIssuer(id);
    issuers.change((now) => now.filter((each) => each.id !== id));
    setRemoved({ words: machinesTexts.ended(name), takesFocus: true, at });
  }

  function replace(changed: TrustedIssuer): void {
    issuers.change((now) => now.map((each) => (each.id === changed.id ? changed : each)));
    setOutcome({ words: words.saved(changed.name) });
  }

  function add(trusted: TrustedIssuer): void {
    setQuery({ [NEW]: '' });
    issuers.change((now) => [...now, trusted].toSorted((one, other) => one.name.localeCompare(other.name)));
    setOutcome({ words: words.trusted(trusted.name), takesFocus: true });
  }

  const trustButton = (
    <button type="button" class="button button-primary" onClick={() => setQuery({ [NEW]: 'issuer' })}>
      <Icon name="add" />
      {words.trust}
    </button>
  );
  return (
    <div class="keys">
      <div class="keys-head">
        <p class="muted">{words.lead}</p>
        {!isMaking && all.length > 0 && trustButton}
      </div>
      {isMaking &&
        (keys?.length === 0 ? (
          <NeedsKey />
        ) : (
          <NewIssuer keys={keys ?? []} onTrusted={add} onCancel={() => setQuery({ [NEW]: '' })} />
        ))}
      <OutcomeLine outcome={outcome} />
      {issuers.data?.length === 0 && !isMaking && removed === undefined && (
        <Empty icon="run" title={words.noneTitle} lead={words.noneLead}>
          {trustButton}
        </Empty>
      )}
      <Rows label={words.list} removed={removed}>
        {all.map((each, at) => (
          <IssuerRow
            key={each.id}
            of={each}
            keys={keys ?? []}
            onChanged={replace}
            onEnd={() => end(each, at)}
          />
        ))}
      </Rows>
      {all.length > 0 && <TokenTester />}
    </div>
  );
}

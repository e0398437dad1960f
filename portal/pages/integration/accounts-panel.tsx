// Lists the accounts of an integration where the person has several.
import type { Account } from '../../api/accounts.ts';
import { hasWay, type WithState } from '../../connect/state.ts';
import type { Target } from '../../connect/target.ts';
import { accountsTexts } from '../../texts/accounts.ts';
import { AccountRow } from './account-row.tsx';

const words = accountsTexts;

interface Props {
  integration: WithState;
  accounts: readonly Account[];
  onConnect: (target: Target) => void;
  onChange: () => void;
}

export function AccountsPanel({ integration, accounts, onConnect, onChange }: Props) {
  return (
    <section class="panel accounts" aria-labelledby="accounts">
      <h2 id="accounts">{words.title}</h2>
      <p class="muted">{words.lead(integration.displayName)}</p>
      <ul class="account-rows">
        {accounts.map((account) => (
          <AccountRow
            key={account.id}
            integration={integration}
            account={account}
            onRenew={() => onConnect({ kind: 'renew', label: account.label })}
            onChange={onChange}
          />
        ))}
      </ul>
      {hasWay(integration) && (
        <div class="row">
          <button type="button" class="button" onClick={() => onConnect({ kind: 'add' })}>
            {words.add}
          </button>
        </div>
      )}
    </section>
  );
}

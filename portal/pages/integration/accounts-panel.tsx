// Lists the accounts of an integration where the person has several.
import '../../styles/accounts.css';
import type { Account } from '../../api/types.ts';
import { accountsTexts } from '../../texts/accounts.ts';
import { AccountRow } from './account-row.tsx';

const words = accountsTexts;

interface Props {
  integration: string;
  displayName: string;
  accounts: readonly Account[];
  onChange: () => void;
}

export function AccountsPanel({ integration, displayName, accounts, onChange }: Props) {
  return (
    <section class="panel accounts" aria-labelledby="accounts">
      <h2 id="accounts">{words.title}</h2>
      <p class="muted">{words.lead(displayName)}</p>
      <ul class="account-rows">
        {accounts.map((account) => (
          <AccountRow key={account.id} integration={integration} account={account} onChange={onChange} />
        ))}
      </ul>
      <p class="muted">{words.add}</p>
    </section>
  );
}

// Renders one of several accounts: how it does, what it is the default for, and buttons to change that.
import { useState } from 'preact/hooks';
import { type AccountChange, changeAccount, disconnectAccount } from '../../api/accounts.ts';
import type { Account } from '../../api/types.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { accountsTexts } from '../../texts/accounts.ts';
import { texts } from '../../texts/texts.ts';

const words = accountsTexts;

const COLOURS = { ok: 'green', reconnect: 'red', unreachable: 'amber', unverified: 'off' } as const;

interface Props {
  integration: string;
  account: Account;
  onChange: () => void;
}

export function AccountRow({ integration, account, onChange }: Props) {
  const { id, label, status } = account;
  const [isRenaming, setRenaming] = useState(false);

  async function change(wanted: AccountChange): Promise<void> {
    await changeAccount(integration, id, wanted);
    onChange();
  }

  return (
    <li class="account-row">
      <div class="account-words">
        <h3>{label}</h3>
        <p class="account-marks">
          <Lamp colour={COLOURS[status]}>{texts.states[status]}</Lamp>
          {account.default && <span class="account-mark">{words.isDefault}</span>}
          {account.defaultForWrites && <span class="account-mark">{words.isDefaultForWrites}</span>}
        </p>
      </div>
      <div class="row account-actions">
        {!account.default && (
          <ActionButton
            label={words.makeDefault}
            named={words.makeDefaultOf(label)}
            onAct={() => change({ default: true })}
          />
        )}
        <ActionButton
          label={account.defaultForWrites ? words.askForWrites : words.useForWrites}
          named={account.defaultForWrites ? words.askForWritesOf(label) : words.useForWritesOf(label)}
          onAct={() => change({ defaultForWrites: !account.defaultForWrites })}
        />
        <button
          type="button"
          class="button"
          aria-label={words.renameOf(label)}
          aria-expanded={isRenaming}
          onClick={() => setRenaming(!isRenaming)}
        >
          {words.rename}
        </button>
        <ConfirmButton
          label={words.disconnect}
          named={words.disconnectOf(label)}
          title={words.disconnectTitle(label)}
          confirmLabel={words.disconnect}
          onConfirm={async () => {
            await disconnectAccount(integration, label);
            onChange();
          }}
        >
          <p>{words.disconnectEffect(label)}</p>
        </ConfirmButton>
      </div>
      {isRenaming && (
        <RenameForm
          label={label}
          onSave={async (next) => {
            await change({ label: next });
            setRenaming(false);
          }}
        />
      )}
    </li>
  );
}

function RenameForm({ label, onSave }: { label: string; onSave: (next: string) => Promise<void> }) {
  const [draft, setDraft] = useState(label);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function save(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      await onSave(draft);
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  }

  return (
    <form
      class="account-rename"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label class="field">
        {words.name}
        <input
          value={draft}
          maxLength={64}
          autocomplete="off"
          aria-invalid={problem !== ''}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button button-primary" aria-disabled={busy}>
        {words.save}
      </button>
      {problem !== '' && <ErrorNotice message={problem} />}
    </form>
  );
}

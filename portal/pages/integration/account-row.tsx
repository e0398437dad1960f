// Renders one of several accounts: how it does, what it is the default for, and buttons to change that.
import { useState } from 'preact/hooks';
import { type Account, type AccountChange, changeAccount, disconnectAccount } from '../../api/accounts.ts';
import { hasWay, type WithState } from '../../connect/state.ts';
import { AccountLamp } from '../../parts/account-lamp.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { accountsTexts } from '../../texts/accounts.ts';
import { texts } from '../../texts/texts.ts';

const words = accountsTexts;

interface Props {
  integration: WithState;
  account: Account;
  onRenew: () => void;
  onChange: () => void;
}

export function AccountRow({ integration, account, onRenew, onChange }: Props) {
  const { name, way = 'oauth2' } = integration;
  const { id, label, status } = account;
  const [isRenaming, setRenaming] = useState(false);

  async function change(wanted: AccountChange): Promise<void> {
    await changeAccount(name, id, wanted);
    onChange();
  }

  return (
    <li class="account-row">
      <div class="account-words">
        <h3>{label}</h3>
        <p class="account-marks">
          <AccountLamp status={status} />
          {account.default && <span class="account-mark">{words.isDefault}</span>}
          {account.defaultForWrites && <span class="account-mark">{words.isDefaultForWrites}</span>}
        </p>
      </div>
      <div class="row account-actions">
        {hasWay(integration) && (
          <button
            type="button"
            class={status === 'reconnect' ? 'button button-primary' : 'button'}
            aria-label={`${texts.connect.replace[way]} ${label}`}
            onClick={onRenew}
          >
            {texts.connect.replace[way]}
          </button>
        )}
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
          quiet
          label={words.disconnect}
          named={words.disconnectOf(label)}
          title={words.disconnectTitle(label)}
          onConfirm={async () => {
            await disconnectAccount(name, label);
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
  const { busy, problem, run } = useWork();

  return (
    <Form
      class="account-rename"
      busy={busy}
      problem={problem}
      submitLabel={words.save}
      isInline
      onSubmit={() => void run(() => onSave(draft))}
    >
      <label class="field">
        {words.name}
        <input
          value={draft}
          maxLength={64}
          autocomplete="off"
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        />
      </label>
    </Form>
  );
}

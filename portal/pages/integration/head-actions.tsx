// Renders the head of an integration's page: its state, its accounts, one button for the next step, and a menu of the rest.
import { ConnectButton } from '../../connect/connect-button.tsx';
import { canTest, hasWay, isConnectable, isKnown, type WithState } from '../../connect/state.ts';
import type { Target } from '../../connect/target.ts';
import { AccountLamp } from '../../parts/account-lamp.tsx';
import { Icon } from '../../parts/icon.tsx';
import { accountsTexts } from '../../texts/accounts.ts';
import { texts } from '../../texts/texts.ts';
import { StateLamp } from '../integrations/state-lamp.tsx';
import { MoreMenu, type MoreAction } from '../../parts/more-menu.tsx';

const words = texts.integration;

/** What the person wants to do in the settings. */
export type Wanted = 'test' | 'disconnect' | 'setup';

interface Props {
  integration: WithState;
  /** Whether this person can set up the sign-in. */
  canSetUp: boolean;
  onConnect: (target?: Target) => void;
  onWant: (wanted: Wanted) => void;
}

export function HeadActions({ integration, canSetUp, onConnect, onWant }: Props) {
  const { displayName, way = 'oauth2', accounts } = integration;
  const known = isKnown(integration);
  const isOpen = hasWay(integration);
  const broken = accounts?.find(({ status }) => status === 'reconnect');
  const rest: MoreAction[] = [
    ...(canTest(integration) ? [{ label: texts.connection.test, act: () => onWant('test') }] : []),
    ...(known && isOpen && accounts === undefined && !isConnectable(integration)
      ? [{ label: texts.connect.replace[way], act: () => onConnect() }]
      : []),
    ...(known && isOpen ? [{ label: accountsTexts.add, act: () => onConnect({ kind: 'add' }) }] : []),
    ...(known ? [{ label: texts.connection.disconnect, act: () => onWant('disconnect') }] : []),
  ];
  return (
    <div class="head-actions">
      <StateLamp integration={integration} />
      {accounts === undefined && isConnectable(integration) && (
        <ConnectButton always integration={integration} onConnect={() => onConnect()} />
      )}
      {isOpen && broken !== undefined && (
        <button
          type="button"
          class="button button-primary"
          aria-label={`${texts.connect.replace[way]} ${broken.label}`}
          onClick={() => onConnect({ kind: 'renew', label: broken.label })}
        >
          {texts.connect.replace[way]}
        </button>
      )}
      {!isOpen && canSetUp && (
        <button type="button" class="button button-primary" onClick={() => onWant('setup')}>
          {texts.setup.begin}
        </button>
      )}
      {rest.length > 0 && <MoreMenu named={words.moreOf(displayName)} actions={rest} />}
    </div>
  );
}

/** Names the accounts below the title. */
export function AccountChips({ integration, onAdd }: { integration: WithState; onAdd: () => void }) {
  const { accounts, account, status } = integration;
  const known = accounts ?? (account === undefined || status === undefined ? [] : [{ ...account, status }]);
  if (known.length === 0) return null;
  return (
    <span class="account-chips">
      {known.map(({ id, label, status: state }) => (
        <span key={id} class="account-chip" title={label}>
          <span class="account-chip-lamp" aria-hidden="true">
            <AccountLamp status={state} />
          </span>
          <span class="account-chip-name">{label}</span>
        </span>
      ))}
      {hasWay(integration) && (
        <button
          type="button"
          class="account-chip account-chip-add"
          aria-label={words.addAccount}
          title={words.addAccount}
          onClick={onAdd}
        >
          <Icon name="add" />
        </button>
      )}
    </span>
  );
}

// Explains the state of the connection, and lets the person connect, test, replace or end it.
import { useEffect, useState } from 'preact/hooks';
import { checkConnection, type Connection, disconnect, type Disconnected } from '../../api/integrations.ts';
import { ConnectButton } from '../../connect/connect-button.tsx';
import { canTest, hasWay, isConnectable, isKnown, type WithState } from '../../connect/state.ts';
import type { Target } from '../../connect/target.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { explain } from '../../parts/error-notice.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { accountsTexts } from '../../texts/accounts.ts';
import { texts } from '../../texts/texts.ts';
import { ConnectionFacts } from './connection-facts.tsx';
import { describeTest } from './describe-test.ts';
import type { Wanted } from './head-actions.tsx';
import { TeamLine } from './team-line.tsx';

const words = texts.connection;

interface Props {
  integration: WithState;
  /** The names of the integrations whose connections end together with this one. */
  siblings: readonly string[];
  /** Unix seconds. */
  lastCallAt: number | undefined;
  /** What the person has chosen in the menu of the page. */
  wanted: Wanted | undefined;
  onConnect: (target?: Target) => void;
  onTested: (connection: Connection) => void;
  onChange: () => void;
}

export function ConnectionPanel(props: Props) {
  const { integration, lastCallAt, siblings, wanted, onConnect, onTested, onChange } = props;
  const { name, displayName, way } = integration;
  const known = isKnown(integration);
  const disconnectLabel = integration.accounts === undefined ? words.disconnect : words.disconnectAll;
  const [said, setSaid] = useState<{ outcome: Outcome; ofKnown: boolean }>();

  async function test(): Promise<void> {
    const now = await checkConnection(name);
    onTested(now);
    setSaid({ outcome: describeTest(now, displayName), ofKnown: true });
  }

  useEffect(() => {
    if (wanted === 'test' && known)
      void test().catch((error: unknown) => setSaid({ outcome: { words: explain(error) }, ofKnown: true }));
  }, [wanted]);

  async function endConnection(): Promise<void> {
    const ended = await disconnect(name);
    onChange();
    setSaid({ outcome: describeEnd(ended, integration), ofKnown: false });
  }

  return (
    <section class="panel panel-line connection" aria-labelledby="connection">
      <div>
        <h2 id="connection">{words.title}</h2>
        <ConnectionFacts integration={integration} lastCallAt={lastCallAt} />
        {integration.team !== undefined && (
          <TeamLine integration={integration} team={integration.team} onChange={onChange} />
        )}
        {/* What was said about a connection does not concern the next one. */}
        <OutcomeLine outcome={said?.ofKnown === known ? said.outcome : undefined} />
      </div>
      <div class="row connection-actions">
        {canTest(integration) && <ActionButton label={words.test} onAct={test} />}
        {/* Each of several accounts has a button of its own. */}
        {known && integration.accounts === undefined && !isConnectable(integration) && (
          <ConnectButton always integration={integration} onConnect={() => onConnect()} />
        )}
        {known && integration.accounts === undefined && hasWay(integration) && (
          <button type="button" class="button" onClick={() => onConnect({ kind: 'add' })}>
            {accountsTexts.add}
          </button>
        )}
        {known && (
          <ConfirmButton
            key={wanted}
            quiet
            label={disconnectLabel}
            startsAsking={wanted === 'disconnect'}
            title={words.disconnectTitle(displayName)}
            onConfirm={endConnection}
          >
            {siblings.length > 0 && <p class="dialog-warning">{words.siblings(list.format(siblings))}</p>}
            <p>{words.disconnectEffect(displayName)}</p>
            <p>{words.disconnectLeft[way ?? 'oauth2'](displayName)}</p>
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}

const list = new Intl.ListFormat('en');

function describeEnd({ revoked, removeAt }: Disconnected, { displayName, way }: WithState): Outcome {
  const link = removeAt === undefined ? {} : { link: { href: removeAt, label: words.removeAt(displayName) } };
  switch (revoked) {
    case 'done':
      return { words: words.ended.done(displayName), takesFocus: true };
    case 'pending':
      return { words: words.ended.pending(displayName), takesFocus: true, ...link };
    default: {
      const left = words.ended.left[way ?? 'oauth2'](displayName);
      return { words: `${words.ended.here(displayName)} ${left}`.trim(), takesFocus: true, ...link };
    }
  }
}

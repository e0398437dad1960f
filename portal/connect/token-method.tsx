// Asks for a token that the person makes at the provider: where to make it, what to tick there, and where to paste it.
import type { ComponentChildren } from 'preact';
import { saveKey } from '../api/connect.ts';
import type { TokenWay } from '../api/integrations.ts';
import { OutsideLink } from '../parts/outside-link.tsx';
import { texts } from '../texts/texts.ts';
import { ConnectForm } from './connect-form.tsx';
import { keyFields, secretsIn } from './form-fields.ts';
import type { WithState } from './state.ts';
import {
  accountFields,
  isForTeam,
  keptFor,
  namesAtFirst,
  type Target,
  whoseIn,
  withoutLabel,
} from './target.ts';
import { teamTexts } from '../texts/team.ts';

const words = texts.connect.token;

interface Props {
  integration: WithState;
  way: TokenWay;
  target: Target | undefined;
  onConnected: () => void;
  onCancel: () => void;
  after: ComponentChildren;
}

export function TokenMethod({ integration, way, target, onConnected, onCancel, after }: Props) {
  const { name, displayName } = integration;
  // Most people only paste the token, so an address that may stay empty comes last.
  const fields = [...keyFields(way.fields), ...accountFields(integration, target)].toSorted(
    (one, other) => Number(other.required) - Number(one.required),
  );
  return (
    <ol class="steps token-steps">
      <li>
        <p>{words.make(displayName)}</p>
        <OutsideLink href={way.url} class="button">
          {words.open(displayName)}
        </OutsideLink>
        <p class="muted">{way.help}</p>
        {way.scopes.length > 0 && (
          <div class="token-scopes">
            <p class="muted">{words.scopes}</p>
            <ul>
              {way.scopes.map((scope) => (
                <li key={scope}>
                  <code>{scope}</code>
                </li>
              ))}
            </ul>
          </div>
        )}
      </li>
      <li>
        <p>{words.paste}</p>
        <ConnectForm
          keptAs={`connect token ${keptFor(name, target)}`}
          fields={fields}
          initial={namesAtFirst(target)}
          submitLabel={texts.connect.connect}
          onSubmit={(values) =>
            saveKey(name, withoutLabel(values), whoseIn(values, target)).then(onConnected)
          }
          onCancel={onCancel}
          after={after}
        >
          <p class="muted">{texts.connect.keyLead(displayName, secretsIn(way.fields))}</p>
          {isForTeam(target) && <p class="muted">{teamTexts.connectLead}</p>}
        </ConnectForm>
      </li>
    </ol>
  );
}

// Renders the form of each connect method: a key, the provider's page, a token, the live view, or an imported session.
import type { ComponentChildren } from 'preact';
import { importSession, fetchKeyFields, saveKey, startOAuth } from '../api/connect.ts';
import { ApiError } from '../api/client.ts';
import { useWays } from '../state/use-ways.ts';
import { NotLoaded } from '../parts/not-loaded.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { type Resource, useResource } from '../state/use-resource.ts';
import { useWanted } from '../state/use-wanted.ts';
import { accountsTexts } from '../texts/accounts.ts';
import { texts } from '../texts/texts.ts';
import { ConnectForm } from './connect-form.tsx';
import {
  INSTANCE,
  instanceFields,
  keyFields,
  secretsIn,
  SESSION,
  sessionField,
  type Values,
} from './form-fields.ts';
import { openLive } from './open-live.ts';
import { isKnown, type WithState } from './state.ts';
import {
  accountFields,
  isForTeam,
  keptFor,
  labelIn,
  namesAtFirst,
  type Target,
  whoseIn,
  withoutLabel,
} from './target.ts';
import { teamTexts } from '../texts/team.ts';
import { TokenMethod } from './token-method.tsx';

const words = texts.connect;
const live = texts.live.method;

/**
 * Chooses between the ways of an integration: to sign in or to enter a token, and to sign in with a browser on the
 * gateway or to import a session. Without a choice the usual way comes first.
 */
export type Method = 'oauth2' | 'token' | 'live' | 'session';

interface Props {
  integration: WithState;
  method: Method | undefined;
  onMethod: (method: Method) => void;
  target: Target | undefined;
  onConnected: () => void;
  onCancel: () => void;
}

export function ConnectMethod(props: Props) {
  switch (props.integration.authType) {
    case 'apikey':
      return <KeyMethod {...props} />;
    case 'oauth2':
      return <ProviderMethod {...props} />;
    case 'cookie':
      // The browser of the gateway belongs to one person, so the session of the team is imported.
      return props.method === 'session' || isForTeam(props.target) ? (
        <SessionMethod {...props} />
      ) : (
        <LiveMethod {...props} />
      );
    case 'none':
      return null;
  }
}

function KeyMethod({ integration, target, onConnected, onCancel }: Props) {
  const { name, displayName } = integration;
  const whose = { account: target?.kind === 'renew' ? target.label : '', isForTeam: isForTeam(target) };
  const fields = useResource(`key-fields ${keptFor(name, target)}`, () => fetchKeyFields(name, whose));
  if (fields.data === undefined) return <Loading of={fields} onCancel={onCancel} />;
  return (
    <ConnectForm
      keptAs={`connect ${keptFor(name, target)}`}
      fields={[...keyFields(fields.data), ...accountFields(integration, target)]}
      initial={namesAtFirst(target)}
      submitLabel={words.connect}
      onSubmit={(values) => saveKey(name, withoutLabel(values), whoseIn(values, target)).then(onConnected)}
      onCancel={onCancel}
    >
      <p class="muted">{words.keyLead(displayName, secretsIn(fields.data))}</p>
      <TeamLead target={target} />
    </ConnectForm>
  );
}

function Loading({
  of,
  onCancel,
}: {
  of: Pick<Resource<unknown>, 'error' | 'reload'>;
  onCancel: () => void;
}) {
  return (
    <>
      {of.error === undefined ? <Skeleton rows={2} /> : <NotLoaded of={[of]} />}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onCancel}>
          {texts.actions.cancel}
        </button>
      </div>
    </>
  );
}

/** Offers to sign in first, and to enter a token instead where the provider makes tokens. */
function ProviderMethod(props: Props) {
  const { integration, method, onMethod, target, onConnected, onCancel } = props;
  const ways = useWays(integration.name);
  if (ways.data === undefined) return <Loading of={ways} onCancel={onCancel} />;
  const token = ways.data.find(({ kind }) => kind === 'token');
  const signsIn = integration.configured;
  if (token?.kind !== 'token' || (signsIn && method !== 'token')) {
    return (
      <OAuthMethod
        integration={integration}
        target={target}
        onCancel={onCancel}
        after={token && <OtherMethod label={words.tokenInstead} onChoose={() => onMethod('token')} />}
      />
    );
  }
  return (
    <TokenMethod
      integration={integration}
      target={target}
      way={token}
      onConnected={onConnected}
      onCancel={onCancel}
      after={
        signsIn && (
          <OtherMethod
            label={words.signInInstead(integration.displayName)}
            onChoose={() => onMethod('oauth2')}
          />
        )
      }
    />
  );
}

function OAuthMethod({
  integration,
  target,
  onCancel,
  after,
}: Pick<Props, 'integration' | 'target' | 'onCancel'> & { after: ComponentChildren }) {
  const { name, displayName } = integration;
  const isWanted = useWanted();
  return (
    <ConnectForm
      keptAs={`connect ${keptFor(name, target)}`}
      fields={[...instanceFields(integration, isKnown(integration)), ...accountFields(integration, target)]}
      initial={namesAtFirst(target)}
      submitLabel={words.goOn(displayName)}
      onSubmit={async (values) => {
        const url = await startOAuth(name, readValue(values, INSTANCE), whoseIn(values, target));
        if (isWanted()) location.assign(url);
      }}
      onCancel={onCancel}
      after={after}
    >
      <p class="muted">{words.oauthLead(displayName)}</p>
      <TeamLead target={target} />
      {target?.kind === 'add' && isKnown(integration) && (
        <p class="muted">{accountsTexts.addLead(displayName)}</p>
      )}
    </ConnectForm>
  );
}

function LiveMethod({ integration, onMethod, target, onCancel }: Props) {
  const { name, displayName } = integration;
  const isWanted = useWanted();
  return (
    <ConnectForm
      keptAs={`connect live ${keptFor(name, target)}`}
      fields={[...instanceFields(integration, isKnown(integration)), ...accountFields(integration, target)]}
      initial={namesAtFirst(target)}
      submitLabel={live.goOn}
      onSubmit={(values) => {
        const account = labelIn(values, target);
        return openLive(name, { instanceUrl: readValue(values, INSTANCE), account }, isWanted);
      }}
      onCancel={onCancel}
      after={<OtherMethod label={live.instead} onChoose={() => onMethod('session')} />}
    >
      <p class="muted">{live.lead(displayName)}</p>
      <p class="muted">{texts.live.honest}</p>
    </ConnectForm>
  );
}

function TeamLead({ target }: Pick<Props, 'target'>) {
  return isForTeam(target) ? <p class="muted">{teamTexts.connectLead}</p> : null;
}

function OtherMethod({ label, onChoose }: { label: string; onChoose: () => void }) {
  return (
    <p>
      <button type="button" class="link-button" onClick={onChoose}>
        {label}
      </button>
    </p>
  );
}

function SessionMethod({ integration, onMethod, target, onConnected, onCancel }: Props) {
  const { name, displayName } = integration;
  return (
    <ConnectForm
      keptAs={`connect ${keptFor(name, target)}`}
      fields={[
        ...instanceFields(integration, isKnown(integration)),
        ...accountFields(integration, target),
        sessionField(),
      ]}
      initial={namesAtFirst(target)}
      submitLabel={words.import}
      onSubmit={async (values) => {
        const [session, instanceUrl] = [parse(readValue(values, SESSION)), readValue(values, INSTANCE)];
        await importSession(name, session, instanceUrl, whoseIn(values, target));
        onConnected();
      }}
      onCancel={onCancel}
      after={!isForTeam(target) && <OtherMethod label={live.back} onChoose={() => onMethod('live')} />}
    >
      <p class="muted">{words.sessionLead(displayName)}</p>
      <TeamLead target={target} />
      <ol class="connect-steps muted">
        <li>{words.sessionSignIn(displayName)}</li>
        <li>{words.sessionExport}</li>
      </ol>
      <p class="muted">{words.sessionPower(displayName)}</p>
    </ConnectForm>
  );
}

function readValue(values: Values, key: string): string {
  return (values[key] ?? '').trim();
}

// Refuses invalid JSON as the gateway would. A file that a gateway exported holds the session in a member.
function parse(text: string): unknown {
  try {
    const file: unknown = JSON.parse(text);
    return typeof file === 'object' && file !== null && 'session' in file ? file.session : file;
  } catch {
    throw new ApiError(400, words.sessionNotJson);
  }
}

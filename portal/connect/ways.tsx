// The ways to connect: a key, the provider's own page, the site's sign-in in the live view, or a session brought along.
import { importSession, fetchKeyFields, saveKey, startOAuth } from '../api/connect.ts';
import { ApiError } from '../api/client.ts';
import { NotLoaded } from '../parts/not-loaded.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useResource } from '../state/use-resource.ts';
import { useWanted } from '../state/use-wanted.ts';
import { texts } from '../texts/texts.ts';
import { ConnectForm } from './connect-form.tsx';
import { INSTANCE, instanceFields, keyFields, SESSION, sessionField, type Values } from './form-fields.ts';
import { openLive } from './open-live.ts';
import { isKnown, type WithState } from './state.ts';

const words = texts.connect;
const live = texts.live.way;

/** With a browser on the gateway, or without one. */
export type Way = 'live' | 'session';

interface Props {
  integration: WithState;
  way: Way;
  onWay: (way: Way) => void;
  onConnected: () => void;
  onCancel: () => void;
}

export function ConnectWay(props: Props) {
  switch (props.integration.authType) {
    case 'apikey':
      return <KeyWay {...props} />;
    case 'oauth2':
      return <OAuthWay {...props} />;
    case 'cookie':
      return props.way === 'live' ? <LiveWay {...props} /> : <SessionWay {...props} />;
    case 'none':
      return null;
  }
}

function KeyWay({ integration: { name, displayName }, onConnected, onCancel }: Props) {
  const fields = useResource(`key-fields ${name}`, () => fetchKeyFields(name));
  if (fields.data === undefined) {
    return (
      <>
        {fields.error === undefined ? <Skeleton rows={2} /> : <NotLoaded of={[fields]} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onCancel}>
            {texts.actions.cancel}
          </button>
        </div>
      </>
    );
  }
  return (
    <ConnectForm
      keptAs={`connect ${name}`}
      fields={keyFields(fields.data)}
      submitLabel={words.connect}
      onSubmit={(values) => saveKey(name, values).then(onConnected)}
      onCancel={onCancel}
    >
      <p class="muted">{words.keyLead(displayName)}</p>
    </ConnectForm>
  );
}

function OAuthWay({ integration, onCancel }: Props) {
  const { name, displayName } = integration;
  const isWanted = useWanted();
  return (
    <ConnectForm
      keptAs={`connect ${name}`}
      fields={instanceFields(integration, isKnown(integration))}
      submitLabel={words.goOn(displayName)}
      onSubmit={async (values) => {
        const url = await startOAuth(name, given(values, INSTANCE));
        if (isWanted()) location.assign(url);
      }}
      onCancel={onCancel}
    >
      <p class="muted">{words.oauthLead(displayName)}</p>
    </ConnectForm>
  );
}

function LiveWay({ integration, onWay, onCancel }: Props) {
  const { name, displayName } = integration;
  const isWanted = useWanted();
  return (
    <ConnectForm
      keptAs={`connect live ${name}`}
      fields={instanceFields(integration, isKnown(integration))}
      submitLabel={live.goOn}
      onSubmit={(values) => openLive(name, given(values, INSTANCE), isWanted)}
      onCancel={onCancel}
      after={<OtherWay label={live.instead} onChoose={() => onWay('session')} />}
    >
      <p class="muted">{live.lead(displayName)}</p>
      <p class="muted">{texts.live.honest}</p>
    </ConnectForm>
  );
}

function OtherWay({ label, onChoose }: { label: string; onChoose: () => void }) {
  return (
    <p>
      <button type="button" class="link-button" onClick={onChoose}>
        {label}
      </button>
    </p>
  );
}

function SessionWay({ integration, onWay, onConnected, onCancel }: Props) {
  const { name, displayName } = integration;
  return (
    <ConnectForm
      keptAs={`connect ${name}`}
      fields={[...instanceFields(integration, isKnown(integration)), sessionField()]}
      submitLabel={words.import}
      onSubmit={async (values) => {
        await importSession(name, parse(given(values, SESSION)), given(values, INSTANCE));
        onConnected();
      }}
      onCancel={onCancel}
      after={<OtherWay label={live.back} onChoose={() => onWay('live')} />}
    >
      <p class="muted">{words.sessionLead(displayName)}</p>
      <ol class="connect-steps muted">
        <li>{words.sessionSignIn(displayName)}</li>
        <li>{words.sessionExport}</li>
      </ol>
      <p class="muted">{words.sessionPower(displayName)}</p>
    </ConnectForm>
  );
}

function given(values: Values, key: string): string {
  return (values[key] ?? '').trim();
}

// Refused as the gateway would. A file that a gateway has exported has the session in it, and says whose it is beside.
function parse(text: string): unknown {
  try {
    const file: unknown = JSON.parse(text);
    return typeof file === 'object' && file !== null && 'session' in file ? file.session : file;
  } catch {
    throw new ApiError(400, words.sessionNotJson);
  }
}

// The ways to connect: a key, the provider's own page, or a session brought along.
import { importSession, fetchKeyFields, saveKey, startOAuth } from '../api/connect.ts';
import { ApiError } from '../api/client.ts';
import { explain, Failed } from '../parts/failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useResource } from '../state/use-resource.ts';
import { texts } from '../texts.ts';
import { ConnectForm } from './connect-form.tsx';
import { INSTANCE, instanceFields, keyFields, SESSION, sessionField, type Values } from './form-fields.ts';
import type { WithState } from './state.ts';

const words = texts.connect;

interface Props {
  integration: WithState;
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
      return <SessionWay {...props} />;
    case 'none':
      return null;
  }
}

function KeyWay({ integration: { name, displayName }, onConnected, onCancel }: Props) {
  const fields = useResource(`key-fields ${name}`, () => fetchKeyFields(name));
  if (fields.data === undefined) {
    return fields.error === undefined ? (
      <Skeleton rows={2} />
    ) : (
      <Failed message={explain(fields.error)} onRetry={fields.reload} />
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
  return (
    <ConnectForm
      keptAs={`connect ${name}`}
      fields={instanceFields(integration, false)}
      submitLabel={words.goOn(displayName)}
      onSubmit={async (values) => location.assign(await startOAuth(name, given(values, INSTANCE)))}
      onCancel={onCancel}
    >
      <p class="muted">{words.oauthLead(displayName)}</p>
    </ConnectForm>
  );
}

function SessionWay({ integration, onConnected, onCancel }: Props) {
  const { name, displayName, connected, health } = integration;
  return (
    <ConnectForm
      keptAs={`connect ${name}`}
      fields={[...instanceFields(integration, connected || health !== 'ok'), sessionField()]}
      submitLabel={words.import}
      onSubmit={async (values) => {
        await importSession(name, parse(given(values, SESSION)), given(values, INSTANCE));
        onConnected();
      }}
      onCancel={onCancel}
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

// Refused as the gateway would.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, words.sessionNotJson);
  }
}

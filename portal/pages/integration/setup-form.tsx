// Leads an administrator through the registration at a provider, and saves the client that comes out of it.
import { useState } from 'preact/hooks';
import {
  type ProviderClient,
  type ProviderClientForm,
  saveProviderClient,
} from '../../api/provider-clients.ts';
import type { SignInWay } from '../../api/integrations.ts';
import { ConnectForm } from '../../connect/connect-form.tsx';
import type { ConnectField, Values } from '../../connect/form-fields.ts';
import type { WithState } from '../../connect/state.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.setup;

interface Props {
  integration: WithState;
  way: SignInWay;
  client: ProviderClient | undefined;
  onSaved: () => void;
  onCancel?: () => void;
}

export function SetupForm({ integration, way, client, onSaved, onCancel }: Props) {
  const { name, displayName, instance } = integration;
  const { registerUrl, registerHelp, redirectUri, scopes } = way;
  const stored = client?.instances ?? [];
  const [others, setOthers] = useState(stored.length);
  // Only a product with a usual address has clients of its own at other addresses.
  const hasOthers = instance?.default !== undefined;

  return (
    <ol class="steps setup-steps">
      <li>
        <p>{words.register(displayName)}</p>
        {registerUrl !== undefined && (
          <OutsideLink href={registerUrl} class="button">
            {words.open(displayName)}
          </OutsideLink>
        )}
        <p class="muted">{registerHelp ?? words.registerAs}</p>
      </li>
      <li>
        <p>{words.redirect}</p>
        <CodeBlock code={redirectUri} label={words.redirect} />
      </li>
      {scopes.length > 0 && (
        <li>
          <p>{words.scopes}</p>
          <CodeBlock code={scopes.join(' ')} label={words.scopes} />
        </li>
      )}
      <li>
        <p>{words.enter(displayName)}</p>
        <ConnectForm
          keptAs={`setup ${name}`}
          fields={[
            ...clientFields('', client !== undefined),
            ...Array.from({ length: others }, (_, index) => [
              originField(index, instance?.example),
              ...clientFields(suffix(index), index < stored.length),
            ]).flat(),
          ]}
          initial={initialValues(client)}
          submitLabel={words.save}
          onSubmit={async (values) => {
            await saveProviderClient(name, readForm(values, others));
            onSaved();
          }}
          {...(onCancel === undefined ? {} : { onCancel })}
          after={
            hasOthers && (
              <p>
                <button type="button" class="link-button" onClick={() => setOthers(others + 1)}>
                  {words.addInstance(displayName)}
                </button>
              </p>
            )
          }
        />
      </li>
    </ol>
  );
}

const suffix = (index: number) => ` ${index + 1}`;

function clientFields(which: string, isStored: boolean): ConnectField[] {
  return [
    { key: `clientId${which}`, kind: 'text', label: `${words.clientId}${which}`, required: true },
    {
      key: `clientSecret${which}`,
      kind: 'secret',
      label: `${words.clientSecret}${which}`,
      required: !isStored,
      help: isStored ? words.keepSecret : words.sealed,
    },
  ];
}

function originField(index: number, example: string | undefined): ConnectField {
  return {
    key: `origin${suffix(index)}`,
    kind: 'text',
    label: `${words.instance}${suffix(index)}`,
    // An empty address removes its client.
    required: false,
    help: words.instanceHelp,
    ...(example === undefined ? {} : { placeholder: example }),
  };
}

function initialValues(client: ProviderClient | undefined): Values {
  if (client === undefined) return {};
  const others = (client.instances ?? []).flatMap(({ origin, clientId }, index) => [
    [`origin${suffix(index)}`, origin],
    [`clientId${suffix(index)}`, clientId],
  ]);
  return { clientId: client.clientId, ...Object.fromEntries(others) };
}

function readForm(values: Values, others: number): ProviderClientForm {
  const read = (key: string) => (values[key] ?? '').trim();
  const clientOf = (which: string) => {
    const clientSecret = read(`clientSecret${which}`);
    return { clientId: read(`clientId${which}`), ...(clientSecret === '' ? {} : { clientSecret }) };
  };
  const instances = Array.from({ length: others }, (_, index) => suffix(index))
    .filter((which) => read(`origin${which}`) !== '')
    .map((which) => [read(`origin${which}`).replace(/\/+$/, ''), clientOf(which)]);
  return { ...clientOf(''), ...(instances.length === 0 ? {} : { instances: Object.fromEntries(instances) }) };
}

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
import { Icon } from '../../parts/icon.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { Segments } from '../../parts/segments.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.setup;

interface Props {
  integration: WithState;
  way: SignInWay;
  client: ProviderClient | undefined;
  /** Is given the family that the client serves. */
  onSaved: (family?: NonNullable<SignInWay['family']>) => void;
  onCancel?: () => void;
}

export function SetupForm({ integration, way, client, onSaved, onCancel }: Props) {
  const { name, displayName, instance } = integration;
  const { registerUrl, registerHelp, family } = way;
  // A client of its own stays one.
  const [isFamily, setFamily] = useState(
    family !== undefined && (client === undefined || client.family !== undefined),
  );
  const whole = isFamily ? family : undefined;
  const { redirectUri, scopes } = whole ?? way;
  const provider = whole?.displayName ?? displayName;
  const stored = client?.instances ?? [];
  const [others, setOthers] = useState(stored.length);
  // Only a product with a usual address has clients of its own at other addresses.
  const hasOthers = instance?.default !== undefined;

  return (
    <>
      {family !== undefined && (
        <FamilyChoice family={family} name={displayName} isFamily={isFamily} onChoose={setFamily} />
      )}
      <ol class="steps setup-steps">
        <li>
          <p>{words.register(provider)}</p>
          {registerUrl !== undefined && (
            <OutsideLink href={registerUrl} class="button">
              {words.open(registerPlace(registerUrl, provider))}
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
          <p>{words.enter(provider)}</p>
          <ConnectForm
            keptAs={`setup form ${name}`}
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
              await saveProviderClient(name, {
                ...readForm(values, others),
                ...(isFamily ? { for: 'family' } : {}),
              });
              onSaved(whole);
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
    </>
  );
}

interface FamilyProps {
  family: NonNullable<SignInWay['family']>;
  name: string;
  isFamily: boolean;
  onChoose: (isFamily: boolean) => void;
}

/** Shows which integrations one client can serve. */
function FamilyChoice({ family, name, isFamily, onChoose }: FamilyProps) {
  const { displayName, integrations } = family;
  return (
    <div class="family">
      <p class="family-title">{words.familyTitle(displayName, integrations.length)}</p>
      <ul class="family-members">
        {integrations.map((each) => (
          <li key={each.name} class={isFamily || each.displayName === name ? 'family-in' : ''}>
            <Icon name={isFamily || each.displayName === name ? 'check' : 'close'} />
            {each.displayName}
          </li>
        ))}
      </ul>
      <Segments
        label={words.familyFor}
        choices={[
          { value: 'family', label: words.forFamily(displayName, integrations.length) },
          { value: 'one', label: words.forOne(name) },
        ]}
        chosen={isFamily ? 'family' : 'one'}
        onChoose={(chosen) => onChoose(chosen === 'family')}
      />
    </div>
  );
}

/** The link leads to the provider's console, which is often not the product itself. */
function registerPlace(address: string, provider: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '');
  return host.includes(provider.toLowerCase().split(' ')[0] ?? provider) ? provider : host;
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

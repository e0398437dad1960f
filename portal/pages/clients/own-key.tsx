// Makes a limited key for one client, shows the line with the key inside, and waits for the first call of the key.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type MadeKey, makeNamedKey, type NamedKey } from '../../api/agent-keys.ts';
import type { Limits } from '../../api/agents.ts';
import { fetchAudit } from '../../api/audit.ts';
import type { Access } from '../../api/tools.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { AgentMark } from '../../parts/agent-mark.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { useWork } from '../../parts/use-work.ts';
import { Link } from '../../router/link.tsx';
import { changeKept } from '../../state/cache.ts';
import { usePoll } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { connectClientTexts as words } from '../../texts/connect-client.ts';
import { texts } from '../../texts/texts.ts';
import { keysTexts } from '../../texts/keys.ts';
import { IntegrationPicker } from '../limits/integration-picker.tsx';
import type { KnownClient } from './known-clients.ts';
import { HIDDEN_KEY } from './with-key.ts';

const LEVELS = ['read', 'write', 'destroy'] as const satisfies readonly Access[];
const ENDS = { week: 7, month: 30, quarter: 90, year: 365, never: 0 } as const;
type End = keyof typeof ENDS;
const DAY_SECONDS = 86_400;
const POLL_MS = 3000;

interface Props {
  client: KnownClient;
  set?: string | undefined;
}

export function OwnKey({ client, set }: Props) {
  const [made, setMade] = useState<MadeKey>();
  return made === undefined ? (
    <Choose client={client} set={set} onMade={setMade} />
  ) : (
    <Paste client={client} set={set} made={made} onAgain={() => setMade(undefined)} />
  );
}

function Choose({ client: { label }, set, onMade }: Props & { onMade: (made: MadeKey) => void }) {
  const [access, setAccess] = useState<Access>('read');
  const [asks, setAsks] = useState(true);
  const [isAll, setIsAll] = useState(true);
  const [integrations, setIntegrations] = useState<readonly string[]>([]);
  const [end, setEnd] = useState<End>('quarter');
  const [missing, setMissing] = useState('');
  const { busy, problem, setProblem, run } = useWork();

  function create(): void {
    setProblem();
    if (!isAll && integrations.length === 0) return setMissing(keysTexts.form.noneChosen);
    const limits: Limits = {
      ...(access === 'destroy' ? {} : { access }),
      ...(access === 'destroy' && asks ? { rules: [{ access: 'destroy', decision: 'ask' }] } : {}),
      ...(isAll ? {} : { integrations }),
      ...(set === undefined ? {} : { set }),
      ...(end === 'never' ? {} : { expiresAt: Math.floor(Date.now() / 1000) + ENDS[end] * DAY_SECONDS }),
    };
    void run(async () => {
      const key = await makeNamedKey({ name: label, ...limits });
      const { key: _, ...row } = key;
      changeKept('named keys', (known) => [row, ...(known as NamedKey[])]);
      onMade(key);
    });
  }

  return (
    <Form class="own-key" busy={busy} problem={problem} submitLabel={words.create(label)} onSubmit={create}>
      <fieldset class="own-key-part">
        <legend>{words.may}</legend>
        <div class="segments own-key-levels">
          {LEVELS.map((level) => (
            <label key={level}>
              <input
                type="radio"
                name="own key access"
                checked={access === level}
                onChange={() => setAccess(level)}
              />
              <span>{words.levels[level]}</span>
            </label>
          ))}
        </div>
        {access === 'destroy' && (
          <label class="own-key-check">
            <input
              type="checkbox"
              checked={asks}
              onChange={({ currentTarget }) => setAsks(currentTarget.checked)}
            />
            {words.ask}
          </label>
        )}
      </fieldset>
      <div class="limits-line">
        <div class="connect-field">
          <label for="own-key-integrations">{words.integrations}</label>
          <select
            id="own-key-integrations"
            value={isAll ? 'all' : 'some'}
            onChange={({ currentTarget }) => setIsAll(currentTarget.value === 'all')}
          >
            <option value="all">{words.all}</option>
            <option value="some">{words.some(integrations.length)}</option>
          </select>
        </div>
        <div class="connect-field">
          <label for="own-key-end">{words.expires}</label>
          <select
            id="own-key-end"
            value={end}
            // The options are the keys of ENDS.
            onChange={({ currentTarget }) => setEnd(currentTarget.value as End)}
          >
            {(Object.keys(ENDS) as End[]).map((each) => (
              <option key={each} value={each}>
                {keysTexts.form.ends[each]}
              </option>
            ))}
          </select>
        </div>
      </div>
      {!isAll && (
        <IntegrationPicker
          chosen={integrations}
          problem={missing}
          onChange={(chosen) => {
            setMissing('');
            setIntegrations(chosen);
          }}
        />
      )}
    </Form>
  );
}

function Paste({ client, set, made, onAgain }: Props & { made: MadeKey; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form with the pressed button has just disappeared.
  useLayoutEffect(() => heading.current?.focus(), []);
  const { label, place, line, link } = client;
  return (
    <div class="own-key-made">
      <h3 ref={heading} tabIndex={-1}>
        {words.made(label)}
      </h3>
      {link !== undefined && (
        <p>
          <ActionButton
            primary
            label={texts.clients.openIn(label)}
            // The link contains the key, so it is made on a click and never written into the page.
            onAct={async () => location.assign(link(location.origin, made.key, set))}
          />
        </p>
      )}
      <p>{place}</p>
      <CodeBlock
        code={line(location.origin, HIDDEN_KEY, set)}
        label={place}
        copy={() => line(location.origin, made.key, set)}
      />
      <p class="muted">{words.once}</p>
      <FirstCallOf client={client} actor={`key:${made.id}`} />
      <p class="own-key-after">
        <Link href={`/agents/${encodeURIComponent(`key:${made.id}`)}`} class="button">
          {words.open}
        </Link>
        <button type="button" class="link-button" onClick={onAgain}>
          {words.again}
        </button>
      </p>
    </div>
  );
}

/** The picture of the way of a call. The mark of the client moves along once its first call has come. */
function FirstCallOf({ client: { key, label }, actor }: { client: KnownClient; actor: string }) {
  const calls = useResource(`first call of ${actor}`, () =>
    fetchAudit({ integration: '', success: '', client: actor }),
  );
  const call = calls.data?.entries.at(-1);
  usePoll(call === undefined, POLL_MS, calls.look);
  return (
    <div class={call === undefined ? 'own-key-way' : 'own-key-way own-key-arrived'}>
      <div class="own-key-picture" aria-hidden="true">
        <span class="own-key-traveller">
          <AgentMark name={label} mark={key} />
        </span>
        <span class="own-key-stop">
          <Icon name="agents" />
          {words.path.agent}
        </span>
        <span class="own-key-stop">
          <Icon name="gateway" />
          {words.path.gateway}
        </span>
        <span class="own-key-stop">
          <Icon name="integrations" />
          {words.path.service}
        </span>
      </div>
      <div role="status">
        {call === undefined ? (
          <Lamp colour="amber" blinking>
            {words.waiting(label)}
          </Lamp>
        ) : (
          <Lamp colour={call.success ? 'green' : 'amber'}>
            {(call.success ? words.arrived : words.failed)(label, call.tool)}
          </Lamp>
        )}
      </div>
    </div>
  );
}

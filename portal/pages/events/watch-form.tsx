// Renders the form that watches a tool. A trial shows what the tool answers, and suggests both expressions.
import { useId, useState } from 'preact/hooks';
import { type EventTrial, type SubscribeForm, tryWatch } from '../../api/events.ts';
import { fetchTools } from '../../api/tools.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useResource } from '../../state/use-resource.ts';
import { eventsTexts } from '../../texts/events.ts';
import { JsonPanel } from '../tools/json/json-panel.tsx';
import '../../styles/arguments.css';

const words = eventsTexts.form;
const EVERYS = ['60', '300', '900', '3600', '86400'] as const;

export function WatchForm({ onSubmit }: { onSubmit: (form: SubscribeForm) => Promise<void> }) {
  const tools = useResource('tools', fetchTools);
  const reading = tools.data?.filter(({ access }) => access === 'read') ?? [];
  const [draft, setDraft] = useState({ tool: '', args: '{}', items: '', id: '', account: '' });
  const [every, setEvery] = useState<(typeof EVERYS)[number]>('300');
  const [changes, setChanges] = useState(false);
  const [trial, setTrial] = useState<EventTrial>();
  const [problems, setProblems] = useState<Partial<Record<keyof typeof draft, string>>>({});
  const { busy, problem, run } = useWork();
  const ids = { tool: useId(), tools: useId(), every: useId() };
  const change = (key: keyof typeof draft) => (value: string) => setDraft({ ...draft, [key]: value });
  const account = draft.account.trim() === '' ? {} : { account: draft.account.trim() };

  /** Null, and the fields say why, when the person has to enter something first. */
  function argsOf(needsExpressions: boolean): { tool: string; args: Record<string, unknown> } | null {
    const args = readObject(draft.args);
    const found = {
      ...(draft.tool.trim() === '' ? { tool: words.toolMissing } : {}),
      ...(args === null ? { args: words.toolArgsWrong } : {}),
      ...(needsExpressions && draft.items.trim() === '' ? { items: words.expressionMissing } : {}),
      ...(needsExpressions && draft.id.trim() === '' ? { id: words.expressionMissing } : {}),
    };
    setProblems(found);
    return args === null || Object.keys(found).length > 0 ? null : { tool: draft.tool.trim(), args };
  }

  const expressions = (items: string, id: string) => ({
    ...(items.trim() === '' ? {} : { items: items.trim() }),
    ...(id.trim() === '' ? {} : { id: id.trim() }),
  });

  async function ask(items: string, id: string): Promise<void> {
    const args = argsOf(false);
    if (args !== null) setTrial(await tryWatch({ ...account, args: { ...args, ...expressions(items, id) } }));
  }

  async function take({ id, items }: EventTrial['suggestions'][number]): Promise<void> {
    setDraft({ ...draft, items, id });
    await ask(items, id);
  }

  function submit(): void {
    const args = argsOf(true);
    if (args === null) return;
    const settings = { ...args, ...expressions(draft.items, draft.id), every: Number(every), changes };
    void run(() => onSubmit({ integration: 'watch', ...account, args: settings }));
  }

  return (
    <Form class="connect-form" busy={busy} problem={problem} submitLabel={words.submit} onSubmit={submit}>
      <div class="connect-field">
        <label for={ids.tool}>{words.tool}</label>
        <input
          id={ids.tool}
          list={ids.tools}
          value={draft.tool}
          autoComplete="off"
          spellcheck={false}
          aria-invalid={problems.tool !== undefined}
          onInput={({ currentTarget }) => change('tool')(currentTarget.value)}
        />
        <datalist id={ids.tools}>
          {reading.map(({ description, name }) => (
            <option key={name} value={name}>
              {description}
            </option>
          ))}
        </datalist>
        <p class="connect-help">{words.toolHelp}</p>
        <p class="connect-problem">{problems.tool}</p>
      </div>
      <ConnectFieldRow
        field={{
          key: 'args',
          kind: 'json',
          label: words.toolArgs,
          required: false,
          help: words.toolArgsHelp,
        }}
        value={draft.args}
        problem={problems.args ?? ''}
        onChange={change('args')}
      />
      <ConnectFieldRow
        field={{
          key: 'account',
          kind: 'text',
          label: words.account,
          required: false,
          help: words.accountHelp,
        }}
        value={draft.account}
        problem=""
        onChange={change('account')}
      />
      <div>
        <ActionButton label={words.try} onAct={() => ask(draft.items, draft.id)} />
      </div>
      {trial && <Trial trial={trial} onTake={take} />}
      <ConnectFieldRow
        field={{ key: 'items', kind: 'text', label: words.items, required: true, help: words.itemsHelp }}
        value={draft.items}
        problem={problems.items ?? ''}
        onChange={change('items')}
      />
      <ConnectFieldRow
        field={{ key: 'id', kind: 'text', label: words.id, required: true, help: words.idHelp }}
        value={draft.id}
        problem={problems.id ?? ''}
        onChange={change('id')}
      />
      <div class="connect-field">
        <label for={ids.every}>{words.every}</label>
        <select
          id={ids.every}
          value={every}
          onChange={({ currentTarget }) =>
            setEvery(EVERYS.find((each) => each === currentTarget.value) ?? '300')
          }
        >
          {EVERYS.map((each) => (
            <option key={each} value={each}>
              {words.everys[each]}
            </option>
          ))}
        </select>
      </div>
      <label class="event-check">
        <input type="checkbox" checked={changes} onChange={() => setChanges(!changes)} />
        {words.changes}
      </label>
    </Form>
  );
}

interface TrialProps {
  trial: EventTrial;
  onTake: (suggestion: EventTrial['suggestions'][number]) => Promise<void>;
}

function Trial({ onTake, trial: { answer, count, items, problem, suggestions } }: TrialProps) {
  return (
    <div class="event-trial" role="status">
      {problem !== null && <p class="event-problem">{problem}</p>}
      {items.length > 0 ? (
        <>
          <p>
            <strong>{words.tried(count)}</strong>
          </p>
          <JsonPanel value={items} name="items" />
        </>
      ) : (
        <>
          <p class="row">
            {suggestions.map((each) => (
              <ActionButton
                key={`${each.items} ${each.id}`}
                label={words.use(each.items, each.id)}
                onAct={() => onTake(each)}
              />
            ))}
          </p>
          <p class="muted">{words.answer}</p>
          <JsonPanel value={answer} name="answer" />
        </>
      )}
    </div>
  );
}

function readObject(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

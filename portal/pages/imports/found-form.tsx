// Shows what was found at a service, and lets the person decide how it is added.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import type { Preview } from '../../api/import-changes.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { explain } from '../../parts/error-notice.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Form } from '../../parts/form.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { useWork } from '../../parts/use-work.ts';
import { importsTexts } from '../../texts/imports.ts';
import { texts } from '../../texts/texts.ts';
import { type AddDraft, findNameProblem, findProblems, type Found, type Problems } from './add-draft.ts';
import { describeProblem } from './problem.ts';
import { ToolPicker } from './tool-picker.tsx';
import { Warnings } from './warnings.tsx';
import { WayFields } from './way-fields.tsx';

const words = importsTexts.add;
const FOR = ['me', 'everyone'] as const;

interface Props {
  found: Found;
  draft: AddDraft;
  /** The names that other integrations have. */
  taken: ReadonlySet<string>;
  mayAddForEveryone: boolean;
  onChange: (draft: AddDraft) => void;
  onAdd: () => Promise<void>;
  onOther: () => void;
  /** Looks at another description of the same page. */
  onLookAt: (address: string) => void;
}

export function FoundForm(props: Props) {
  const { found, draft, taken, mayAddForEveryone, onChange, onAdd, onOther, onLookAt } = props;
  const { preview, source } = found;
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const { busy, problem, setProblem, run } = useWork(describeProblem);
  // A taken name is worth saying before the person presses the button.
  const nameProblem = problems.name ?? (draft.name === '' ? '' : findNameProblem(draft.name, taken));

  // The button that had the focus is gone.
  useLayoutEffect(() => {
    if (document.activeElement === document.body || !document.activeElement?.isConnected)
      form.current?.querySelector('h2')?.focus();
  }, []);
  useFocusFallback(form);

  function edit(change: Partial<AddDraft>): void {
    onChange({ ...draft, ...change });
    setProblems({});
  }

  function show(now: Problems): void {
    setProblems(now);
    const [first] = Object.keys(now);
    // The field that is wrong says so only after the next render.
    requestAnimationFrame(() => {
      const place = form.current?.querySelector(`[data-part="${first}"]`);
      const wrong = place?.querySelector<HTMLElement>('[aria-invalid="true"]');
      (wrong ?? place?.querySelector<HTMLElement>('input, select, textarea, button'))?.focus();
    });
  }

  function submit(): void {
    const now = findProblems(draft, preview, taken);
    setProblem();
    if (Object.keys(now).length > 0) return show(now);
    setProblems({});
    void run(add);
  }

  async function add(): Promise<void> {
    try {
      await onAdd();
    } catch (error) {
      const isAboutName = error instanceof ApiError && error.message.includes(`“${draft.name}”`);
      if (!isAboutName) throw error;
      show({ name: explain(error) });
    }
  }

  const { displayName, suspicions = [] } = preview;
  return (
    <Form
      element={form}
      class="import-found-form"
      busy={busy}
      problem={problem}
      submitLabel={busy ? words.submitting : words.submit(draft.displayName.trim() || displayName)}
      onSubmit={submit}
    >
      <section class="panel import-summary" aria-labelledby="found">
        <div class="panel-line">
          <div>
            <h2 id="found" tabIndex={-1}>
              {displayName}
            </h2>
            <p class="import-address">{'address' in source ? source.address : words.fromDocument}</p>
            <Origin found={found} onLookAt={onLookAt} />
          </div>
          <span class="kind-mark">
            {preview.guess === true ? words.unknownKind : texts.integrations.kinds[preview.kind]}
          </span>
          <button type="button" class="button" onClick={onOther}>
            {words.other}
          </button>
        </div>
        {preview.description !== '' && <LongText text={preview.description} max={320} class="muted" />}
        <Warnings isAmber title={words.suspicions} warnings={suspicions} />
        <Warnings
          title={words.warnings}
          warnings={preview.warnings.filter((warning) => !suspicions.includes(warning))}
        />
      </section>

      <section class="panel import-names" aria-label={words.describe}>
        <div data-part="displayName">
          <ConnectFieldRow
            field={{ key: 'displayName', kind: 'text', label: words.displayName, required: true }}
            value={draft.displayName}
            problem={problems.displayName ?? ''}
            onChange={(value) => edit({ displayName: value })}
          />
        </div>
        <div data-part="name">
          <ConnectFieldRow
            field={{
              key: 'name',
              kind: 'text',
              label: words.name,
              required: true,
              help: words.nameHelp(draft.name === '' ? '…' : draft.name),
            }}
            value={draft.name}
            problem={nameProblem}
            onChange={(name) => edit({ name: name.trim() })}
          />
        </div>
        {preview.kind === 'openapi' && (
          <div data-part="base">
            <ConnectFieldRow
              field={{ key: 'base', kind: 'text', label: words.base, required: true, help: words.baseHelp }}
              value={draft.base}
              problem={problems.base ?? ''}
              onChange={(base) => edit({ base })}
            />
            <OtherServers preview={preview} onChoose={(base) => edit({ base })} />
          </div>
        )}
      </section>

      <section class="panel" data-part="way">
        <WayFields
          name={draft.name}
          displayName={displayName}
          kind={preview.kind}
          auth={preview.auth}
          others={preview.otherAuth ?? []}
          draft={draft.way}
          problem={problems.way ?? ''}
          onChange={(way) => edit({ way })}
        />
      </section>

      <section class="panel" data-part="tools" aria-labelledby="found-tools">
        <h2 id="found-tools">{importsTexts.picker.title}</h2>
        {preview.tools.length === 0 ? (
          <p class="muted">{(preview.listed ? words.none : words.later)(displayName)}</p>
        ) : (
          <ToolPicker
            tools={preview.tools}
            selection={draft.selection}
            onChange={(selection) => edit({ selection })}
          />
        )}
        <p class="connect-problem" role="alert">
          {problems.tools}
        </p>
      </section>

      {mayAddForEveryone && (
        <fieldset class="panel">
          <legend class="visually-hidden">{words.whom}</legend>
          <h2 aria-hidden="true">{words.whom}</h2>
          <div class="choices import-choices">
            {FOR.map((each) => (
              <label key={each} class="choice">
                <input
                  type="radio"
                  name="for"
                  checked={draft.for === each}
                  onChange={() => edit({ for: each })}
                />
                <span class="choice-name">{words.whomChoices[each].name}</span>
                <span class="choice-about">{words.whomChoices[each].about}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Form>
  );
}

/** Says where the description was found when that is not the given address, and what else was there. */
function Origin({ found: { preview, source }, onLookAt }: Pick<Props, 'found' | 'onLookAt'>) {
  const { address, choices = [], looks = [] } = preview;
  if (!('address' in source) || looks.length === 0) return null;
  return (
    <>
      {address !== null && address !== source.address && (
        <p class="import-address">
          {words.foundAt} {address}
        </p>
      )}
      {choices.length > 1 && (
        <ul class="import-servers" aria-label={words.choices}>
          {choices.map((choice) => (
            <li key={choice.address}>
              {choice.address === address ? (
                <b>{choice.title}</b>
              ) : (
                <button type="button" class="link-button" onClick={() => onLookAt(choice.address)}>
                  {choice.title}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <details class="import-looks">
        <summary>{words.looks(looks.length)}</summary>
        <ul class="import-servers">
          {looks.map((look) => (
            <li key={`${look.address} ${look.said}`}>
              <code>{look.address}</code> <span class="muted">{look.said}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const MAX_SERVERS = 6;

/** Offers the other addresses that the description names. Some have parts in braces to fill in. */
function OtherServers({ preview, onChoose }: { preview: Preview; onChoose: (base: string) => void }) {
  const others = (preview.servers ?? []).filter(({ address }) => address !== preview.base);
  if (others.length === 0) return null;
  return (
    <ul class="import-servers" aria-label={words.otherServers}>
      {others.slice(0, MAX_SERVERS).map(({ address, description }) => (
        <li key={address}>
          <button type="button" class="link-button" onClick={() => onChoose(address)}>
            {address}
          </button>{' '}
          {description !== '' && <span class="muted">{description.slice(0, 100)}</span>}
        </li>
      ))}
    </ul>
  );
}

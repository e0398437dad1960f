// Renders the form of a tool. It keeps the typed values after an error and while the person looks at another tool.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Connection, fetchDecisions } from '../../api/integrations.ts';
import type { Tool } from '../../api/tools.ts';
import { useConnections } from '../../state/use-connections.ts';
import { useKept } from '../../state/use-kept.ts';
import { focusField } from '../../parts/focus-field.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { teamTexts } from '../../texts/team.ts';
import { texts } from '../../texts/texts.ts';
import { withKey } from '../clients/with-key.ts';
import { ConfirmRun, mayDelete } from './confirm-run.tsx';
import { toolCurl } from './curl.ts';
import { NotConnected } from './not-connected.tsx';
import { type Run, startRun } from './run.ts';
import { type Drafts, type Problems, problemsIn, toArguments } from './form/arguments.ts';
import { ArgumentRows } from './form/argument-rows.tsx';
import { FieldRow } from './form/field-row.tsx';
import type { Field } from './form/fields.ts';

const words = texts.tools;
const SUBJECT_CHARACTERS = 80;

interface Props {
  tool: Tool;
  fields: readonly Field[];
  run: Run;
  /** The integration's display name. */
  displayName: string;
  onRun: (run: Run) => void;
}

export function ToolForm({ tool, fields, run, displayName, onRun }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [drafts, setDrafts] = useKept<Drafts>(`drafts ${tool.name}`, {});
  const [problems, setProblems] = useState<Problems>({});
  const [firstWrong, setFirstWrong] = useState<{ name: string }>();
  const [refusal, setRefusal] = useState('');
  /** The arguments of a call that deletes, until the person has confirmed it. */
  const [asking, setAsking] = useState<Record<string, unknown>>();
  const isLooking = useRef(false);
  const uploading = useRef(new Set<string>());
  const running = run.state === 'running';
  const { data: connections = [] } = useConnections();
  const labels = labelsOf(connections.find(({ name }) => name === tool.integration));
  const [chosen, setChosen] = useKept(`account ${tool.integration}`, '');
  // The account may have been disconnected or renamed meanwhile.
  const account = labels.find((label) => label === chosen);

  function show(found: Problems): void {
    setProblems(found);
    const [wrong] = fields.filter(({ name }) => name in found);
    setFirstWrong(wrong && { name: wrong.name });
  }

  // The field may be folded until its error is there.
  useLayoutEffect(() => {
    if (firstWrong !== undefined) focusField(form.current, firstWrong.name);
  }, [firstWrong]);

  function change(name: string, draft: string): void {
    setDrafts({ ...drafts, [name]: draft });
    // Clears the error of a field that the person corrects.
    clearProblem(name);
  }

  function clearProblem(name: string): void {
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([wrong]) => wrong !== name)));
  }

  function setUploading(name: string, busy: boolean): void {
    if (busy) uploading.current.add(name);
    else uploading.current.delete(name);
    clearProblem(name);
  }

  async function submit(): Promise<void> {
    if (running || asking !== undefined) return;
    const { args, problems: mistakes } = toArguments(fields, drafts);
    // The call would go out without the file.
    const waiting = [...uploading.current].map((name) => [name, words.files.wait]);
    const found = { ...mistakes, ...Object.fromEntries(waiting) };
    setRefusal('');
    show(found);
    if (Object.keys(found).length > 0) return;
    if (!mayDelete(tool, args)) return start(args);
    if (isLooking.current) return;
    isLooking.current = true;
    const isAsked = await asksAnyway(tool).finally(() => (isLooking.current = false));
    if (isAsked) await start(args);
    else setAsking(args);
  }

  async function start(args: Record<string, unknown>): Promise<void> {
    const ended = await startRun(tool, args, onRun, account);
    if (ended.state !== 'answered' || ended.answer.status !== 400) return;
    const refused = problemsIn(ended.answer.text, fields);
    setRefusal(refused.rest);
    show(refused.problems);
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
      }}
    >
      {labels.length > 0 && (
        <label class="field">
          {words.account}
          <select value={account ?? ''} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            <option value="">{words.defaultAccount}</option>
            {labels.map((label) => (
              <option key={label} value={label}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {fields.length === 0 && <p class="muted">{words.noArguments}</p>}
      <ArgumentRows
        fields={fields}
        drafts={drafts}
        problems={problems}
        row={(field, isHidden) => (
          <FieldRow
            key={field.name}
            field={field}
            draft={drafts[field.name] ?? ''}
            problem={problems[field.name] ?? ''}
            isHidden={isHidden}
            onChange={(draft) => change(field.name, draft)}
            onBusy={(busy) => setUploading(field.name, busy)}
          />
        )}
      />
      {refusal !== '' && (
        <div class="notice" role="alert">
          <Lamp colour="red">{refusal}</Lamp>
        </div>
      )}
      {tool.access === 'destroy' && (
        <p class="argument-hint">
          <Lamp colour="red">{words.destroys}</Lamp>
        </p>
      )}
      <NotConnected integration={tool.integration} />
      <div class="row run-bar">
        {running ? (
          <button
            type="button"
            class="button"
            onClick={(event) => {
              // The button becomes the submit button once the run has stopped, and this click would submit the form.
              event.preventDefault();
              // The second click of a double click was meant for the Run button.
              if (event.detail < 2) run.stop();
            }}
          >
            {words.stop}
          </button>
        ) : (
          <button
            type="submit"
            class={tool.access === 'destroy' ? 'button button-danger' : 'button button-primary'}
          >
            <Icon name="run" />
            {words.run}
          </button>
        )}
        <CopyButton
          label={words.copyCurl}
          text={() =>
            withKey((key) => toolCurl(location.origin, key, tool, toArguments(fields, drafts).args, account))
          }
        />
      </div>
      {asking !== undefined && (
        <ConfirmRun
          tool={tool}
          args={asking}
          subject={subjectIn(asking, fields)}
          displayName={displayName}
          onConfirm={() => void start(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </form>
  );
}

/** Returns what the call is about. Of several required ids the last names the thing, the others its place. */
function subjectIn(args: Record<string, unknown>, fields: readonly Field[]): string {
  const values = fields.flatMap(({ name, required }) => (required ? [args[name]] : []));
  const named = values.findLast((value) => typeof value === 'string' || typeof value === 'number');
  return named === undefined ? '' : String(named).slice(0, SUBJECT_CHARACTERS);
}

/** Where a rule asks before the call, the person confirms it there, with the same arguments. */
const asksAnyway = ({ name, integration }: Tool): Promise<boolean> =>
  fetchDecisions(integration).then(
    (decided) => decided.some((each) => each.name === name && each.decision === 'ask'),
    () => false,
  );

/** The accounts to choose from. Nobody chooses where there is only one. */
function labelsOf(connection: Connection | undefined): string[] {
  const { accounts = [], status, team } = connection ?? {};
  const isBesideOwn = team !== undefined && status !== undefined;
  return [...accounts.map(({ label }) => label), ...(isBesideOwn ? [teamTexts.label] : [])];
}

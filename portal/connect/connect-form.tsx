// The form of one connection. Nothing that was typed is lost: not by a refusal, not by closing it.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { explain, Failed } from '../parts/failed.tsx';
import { useKept } from '../state/use-kept.ts';
import { mayPass } from '../state/use-retry.ts';
import { useSlow } from '../state/use-slow.ts';
import { texts } from '../texts/texts.ts';
import { ConnectFieldRow } from './connect-field.tsx';
import { blamed, type ConnectField, missingIn, type Values } from './form-fields.ts';

interface Props {
  /** Under which what is typed is kept until it was of use. */
  keptAs: string;
  fields: readonly ConnectField[];
  submitLabel: string;
  onSubmit: (values: Values) => Promise<void>;
  onCancel?: () => void;
  children?: ComponentChildren;
  /** Below the fields. */
  after?: ComponentChildren;
}

export function ConnectForm({ keptAs, fields, submitLabel, onSubmit, onCancel, children, after }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useKept<Values>(keptAs, {});
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<{ words: string; mayPass: boolean }>();
  const [busy, setBusy] = useState(false);
  const slow = useSlow();

  useLayoutEffect(() => {
    // A dialog has the focus itself where its fields were still to come, and nothing has it where what was pressed is gone.
    const dialog = form.current?.closest('dialog[open]');
    if (dialog && (document.activeElement === dialog || document.activeElement === document.body))
      form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);

  function show(found: Record<string, string>): void {
    setProblems(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined)
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(wrong)}"]`)?.focus();
  }

  function change(key: string, value: string): void {
    setValues({ ...values, [key]: value });
    // What is being mended is no longer wrong.
    setProblems(Object.fromEntries(Object.entries(problems).filter(([wrong]) => wrong !== key)));
  }

  async function submit(): Promise<void> {
    if (busy) return;
    const missing = missingIn(fields, values);
    show(missing);
    setProblem(undefined);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      await onSubmit(values);
      setValues({});
    } catch (error) {
      const field = blamed(error, fields);
      if (field !== null) show({ [field]: explain(error) });
      else setProblem({ words: explain(error), mayPass: error instanceof ApiError && mayPass(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      ref={form}
      class="connect-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      {fields.map((field) => (
        <ConnectFieldRow
          key={field.key}
          field={field}
          value={values[field.key] ?? ''}
          problem={problems[field.key] ?? ''}
          onChange={(value) => change(field.key, value)}
        />
      ))}
      {problem !== undefined && (
        <Failed message={problem.words} {...(problem.mayPass ? { onRetry: () => void submit() } : {})} />
      )}
      <p class="connect-slow" role="status">
        {busy && slow && texts.failures.slow}
      </p>
      {after}
      <div class="dialog-actions">
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            {texts.actions.cancel}
          </button>
        )}
        <button type="submit" class="button button-primary" aria-disabled={busy}>
          {submitLabel}
        </button>
      </div>
    </form>
  );
}

// Renders the form of a connection. It keeps the typed values after a refusal and after closing.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { focusField } from '../parts/focus-field.ts';
import { explain, type Problem, problemOf } from '../parts/error-notice.tsx';
import { Form } from '../parts/form.tsx';
import { useWork } from '../parts/use-work.ts';
import { useKept } from '../state/use-kept.ts';
import { isTemporary } from '../state/use-retry.ts';
import { useSlow } from '../state/use-slow.ts';
import { texts } from '../texts/texts.ts';
import { ConnectFieldRow } from './connect-field.tsx';
import {
  ACCOUNT,
  asksForName,
  findRefusedField,
  type ConnectField,
  findMissing,
  type Values,
} from './form-fields.ts';
import { askedName } from './target.ts';

interface Props {
  /** The key under which the form keeps the typed values until a submit succeeds. */
  keptAs: string;
  fields: readonly ConnectField[];
  /** What the fields hold before the person types. */
  initial?: Values;
  submitLabel: string;
  onSubmit: (values: Values) => Promise<void>;
  onCancel?: () => void;
  children?: ComponentChildren;
  /** Shown below the fields. */
  after?: ComponentChildren;
}

export function ConnectForm({
  keptAs,
  fields: given,
  initial = {},
  submitLabel,
  onSubmit,
  onCancel,
  children,
  after,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useKept<Values>(keptAs, {});
  const values = { ...initial, ...typed };
  const [isNameAsked, setNameAsked] = useState(false);
  const fields = isNameAsked ? [...given, askedName()] : given;
  const [problems, setProblems] = useState<Record<string, string>>({});
  const { busy, problem, setProblem, run } = useWork(describeProblem);
  const slow = useSlow();

  useLayoutEffect(() => {
    // The dialog has the focus while the fields load, and nothing has it after the pressed button disappears.
    const dialog = form.current?.closest('dialog[open]');
    if (dialog && (document.activeElement === dialog || document.activeElement === document.body))
      form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  useLayoutEffect(() => {
    if (isNameAsked) focusField(form.current, ACCOUNT);
  }, [isNameAsked]);

  function show(found: Record<string, string>): void {
    setProblems(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) focusField(form.current, wrong);
  }

  function change(key: string, value: string): void {
    setTyped({ ...typed, [key]: value });
    // Clears the error of a field that the person corrects.
    setProblems(Object.fromEntries(Object.entries(problems).filter(([wrong]) => wrong !== key)));
  }

  function submit(): void {
    const missing = findMissing(fields, values);
    show(missing);
    setProblem();
    if (Object.keys(missing).length > 0) return;
    void run(send);
  }

  async function send(): Promise<void> {
    try {
      await onSubmit(values);
      setTyped({});
    } catch (error) {
      if (asksForName(error) && !fields.some(({ key }) => key === ACCOUNT)) {
        setNameAsked(true);
        return show({ [ACCOUNT]: explain(error) });
      }
      const field = findRefusedField(error, fields);
      if (field === null) throw error;
      show({ [field]: explain(error) });
    }
  }

  return (
    <Form
      element={form}
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={submitLabel}
      onSubmit={submit}
      onCancel={onCancel}
      after={
        <>
          <p class="connect-slow" role="status">
            {busy && slow && texts.failures.slow}
          </p>
          {after}
        </>
      }
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
    </Form>
  );
}

function describeProblem(error: unknown): Problem {
  return { ...problemOf(error), isTemporary: error instanceof ApiError && isTemporary(error) };
}

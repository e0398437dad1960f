// Says what a pasted token would do, or which check fails.
import { useState } from 'preact/hooks';
import { type TestedToken, testToken } from '../../api/machines.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Form } from '../../parts/form.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { useWork } from '../../parts/use-work.ts';
import { machinesTexts } from '../../texts/machines.ts';

const words = machinesTexts.test;

export function TokenTester() {
  // The token is in no cache: when the person leaves the page, it is gone.
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState('');
  const [tested, setTested] = useState<TestedToken>();
  const { busy, problem, setProblem, run } = useWork();

  function submit(): void {
    setProblem();
    setTested(undefined);
    setMissing(token.trim() === '' ? words.missing : '');
    if (token.trim() !== '') void run(async () => setTested(await testToken(token.trim())));
  }

  return (
    <section class="panel machine-tester" aria-labelledby="test-token">
      <h2 id="test-token">{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <Form
        class="connect-form machine-form"
        busy={busy}
        problem={problem}
        submitLabel={words.submit}
        submitClass="button"
        onSubmit={submit}
      >
        <ConnectFieldRow
          field={{ key: 'token', kind: 'json', label: words.token, required: true }}
          value={token}
          problem={missing}
          onChange={(value) => {
            setMissing('');
            setToken(value);
          }}
        />
      </Form>
      <div role="status" class="machine-tested">
        {tested && (
          <>
            <p>
              <Lamp colour={tested.accepted ? 'green' : 'red'}>{tested.says}</Lamp>
            </p>
            {tested.issuer !== undefined && tested.sub !== undefined && (
              <p class="muted machine-subject">{words.by(tested.issuer, tested.sub)}</p>
            )}
            {tested.accepted && tested.rule !== undefined && (
              <p class="muted machine-subject">{words.fits(tested.rule)}</p>
            )}
          </>
        )}
      </div>
    </section>
  );
}

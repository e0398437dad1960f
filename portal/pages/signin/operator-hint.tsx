// Explains how to sign in while no provider is set up. decision: 013
import { CodeBlock } from '../../parts/code-block.tsx';
import { texts } from '../../texts/texts.ts';

export function OperatorHint() {
  const { noneTitle, noneLead, printedLink, seedLink, seedCommand } = texts.signIn;
  return (
    <section class="panel">
      <h2>{noneTitle}</h2>
      <p class="muted">{noneLead}</p>
      <ol class="steps">
        <li>
          <p>{printedLink}</p>
        </li>
        <li>
          <p>{seedLink}</p>
          <CodeBlock code={seedCommand} label={seedCommand} />
        </li>
      </ol>
    </section>
  );
}

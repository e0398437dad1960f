// Explains how to sign in while no provider is set up. decision: 015
import { CodeBlock } from '../../parts/code-block.tsx';
import { texts } from '../../texts/texts.ts';

export function OperatorHint() {
  const { noneTitle, noneLead, noneWays } = texts.signIn;
  return (
    <section class="panel">
      <h2>{noneTitle}</h2>
      <p class="muted">{noneLead}</p>
      <ul class="signin-ways">
        {noneWays.map(({ words, command }) => (
          <li key={command}>
            <p>{words}</p>
            <CodeBlock code={command} label={command} />
          </li>
        ))}
      </ul>
    </section>
  );
}

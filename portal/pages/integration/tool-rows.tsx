// The tools of an integration: what each does, what it may change, and a way to try it.
import type { Tool } from '../../api/types.ts';
import { AccessLamp } from '../../parts/access-lamp.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts.ts';

const words = texts.integration;

export function ToolRows({ tools }: { tools: readonly Tool[] }) {
  return (
    <section class="section" aria-labelledby="tools">
      <h2 id="tools" class="section-title">
        {words.tools} <span class="section-count">{tools.length}</span>
      </h2>
      {tools.length === 0 ? (
        <Empty title={words.noTools} lead="" />
      ) : (
        <ul class="rows">
          {tools.map(({ name, description, access }) => (
            <li key={name} class="tool-row">
              <div class="tool-row-words">
                <h3>
                  <Link href={`/tools?tool=${encodeURIComponent(name)}`}>{name}</Link>
                </h3>
                <p class="muted">{description}</p>
              </div>
              <AccessLamp access={access} />
              <span class="tool-row-try" aria-hidden="true">
                {words.tryIt}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

// Shows what a call is about to change, as the service has it now, and offers a rule for the tool.
import type { Approval } from '../../api/approvals.ts';
import { fetchTools, fetchToolsOf, runTool } from '../../api/tools.ts';
import { VisibleText } from '../../parts/visible-text.tsx';
import { useResource } from '../../state/use-resource.ts';
import { subjectTexts as words } from '../../texts/subject.ts';
import { ToolAnnouncement, ToolOutcome } from '../rules/said-of-tool.tsx';
import { useDecisions } from '../rules/use-decisions.ts';
import { readResult } from '../tools/describe-result.ts';
import { type Fact, factsOf, findTwin } from './twin.ts';
import type { Names } from './use-names.ts';

interface Found {
  tool: string;
  facts: Fact[];
  left: number;
}

/** The person looks, so the gateway runs the reading tool for the person, under the person's rules, and writes it down. */
async function look(approval: Approval): Promise<Found | null> {
  const { integration, account } = approval;
  const [tools, known] = await Promise.all([fetchToolsOf(integration), fetchTools()]);
  // Looking must not raise a question of its own, nor change anything.
  const reading = known.filter(({ access, decision }) => access === 'read' && decision === undefined);
  const twin = findTwin(approval, tools, new Set(reading.map(({ name }) => name)));
  if (twin === null) return null;
  const never = new AbortController().signal;
  const answer = await runTool({ integration, name: twin.tool }, twin.args, never, account ?? undefined);
  if (answer.status !== 200) return null;
  const { facts, left } = factsOf(readResult(answer).value);
  return facts.length === 0 ? null : { tool: twin.tool, facts, left };
}

export function Subject({ approval, names }: { approval: Approval; names: Names }) {
  const found = useResource(`subject of ${approval.id}`, () => look(approval).catch(() => null));
  if (found.data === null || found.data === undefined) return null;
  const { tool, facts, left } = found.data;
  return (
    <section class="approval-now" aria-label={words.title(names.nameOf(approval.integration))}>
      <h3>{words.title(names.nameOf(approval.integration))}</h3>
      <dl>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <VisibleText text={name} />
            </dt>
            <dd>
              <bdi>
                <VisibleText text={textOf(value)} />
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        {left > 0 && `${words.more(left)} · `}
        {words.by(tool)}
      </p>
    </section>
  );
}

function textOf(value: Fact['value']): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return value === null ? words.none : String(value);
}

/** One tap makes a rule of the person's own. It cannot allow what the rules for everyone or the limits of an agent ask. */
export function ToolRule({ approval: { integration, tool, access } }: { approval: Approval }) {
  const decisions = useDecisions(integration);
  const subject = { name: tool, access };
  const now = decisions.of(subject);
  // A raw request is no tool.
  if (tool.includes(' ') || tool === `${integration}_request` || now === undefined) return null;
  return (
    <div class="approval-rule">
      <div class="row" role="group" aria-label={words.rules}>
        {now.least === 'allow' && now.decision === 'ask' && (
          <button type="button" class="link-button" onClick={() => decisions.changeTool(subject, 'allow')}>
            {words.allow}
          </button>
        )}
        {now.own !== 'ask' && (
          <button type="button" class="link-button" onClick={() => decisions.changeTool(subject, 'ask')}>
            {words.ask}
          </button>
        )}
      </div>
      <ToolOutcome said={decisions.said} />
      <ToolAnnouncement said={decisions.said} />
      <p class="muted approval-note">{words.note}</p>
    </div>
  );
}

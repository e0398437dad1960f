// Makes members of a portal test's gateway, opens their windows and calls the gateway as one of its people.
import type { Subject } from './sections/subject.ts';
import { DESKTOP } from './sections/subject.ts';
import { type Visit, visit } from './visit.ts';

export interface Member {
  userId: string;
  email: string;
  apiKey: string;
  session: string;
}

/** The first person whom a fresh gateway gets to know owns it, and these people do not. */
export async function seedMember(subject: Subject, email: string): Promise<Member> {
  await subject.seed(['--email', 'ann@example.com']);
  return JSON.parse((await subject.seed(['--email', email, '--json'])).stdout);
}

/** Opens a page in a window of the member. */
export async function visitAs(subject: Subject, { session }: Member, path: string): Promise<Visit> {
  const visitor = await visit(subject.browser(), DESKTOP);
  const { base } = subject.gateway();
  await visitor.page.goto(`${base}/integrations#token=${session}`);
  await visitor.page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
  await visitor.page.goto(base + path);
  await visitor.settled();
  return visitor;
}

/** Asks the gateway as the person of the session; as the owner without one. */
export function ask(
  { gateway }: Pick<Subject, 'gateway'>,
  path: string,
  {
    method = 'GET',
    body,
    session = gateway().session,
  }: { method?: string; body?: unknown; session?: string } = {},
): Promise<Response> {
  return gateway().request(path, {
    method,
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Gives the person of the session a key for Datadog, which nobody asks Datadog about. */
export async function connectDatadog(subject: Pick<Subject, 'gateway'>, session?: string): Promise<void> {
  const values = { site: 'datadoghq.eu', apiKey: 'the key', applicationKey: 'the other key' };
  const { status } = await ask(subject, '/api/auth/apikey/datadog', {
    method: 'POST',
    body: { values },
    ...(session === undefined ? {} : { session }),
  });
  if (status !== 200) throw new Error(`Datadog was not connected: ${status}`);
}

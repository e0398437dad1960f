// Asks a person about a raw request, and lets exactly the request that they approved run. reference: Approvals; decision: 116
import { APPROVAL_ARGUMENT_CHARACTERS } from '../config/limits.ts';
import { showBytes } from '../kit/binary.ts';
import { approvalIdOf, type Entry } from '../policy/approvals.ts';
import type { Gate } from '../policy/gate.ts';
import type { Ports } from '../ports/ports.ts';
import type { Permitted, Question } from './permit.ts';
import { type Decided, refuseDecided, type Refused } from './refusals.ts';
import type { ProxyRequest } from './request.ts';
import { type Message, showRequest } from './shown-request.ts';

/** Longer bodies are not read: no person could look at them. */
export const MAX_SHOWN_BYTES = APPROVAL_ARGUMENT_CHARACTERS;

export type Asked = Permitted & { question: Question };
/** The call has the approval and may run once. `finish` must follow. */
export type Approved = Extract<Entry, { kind: 'run' }>;

export interface Approve {
  /** Uses the approval of exactly this request, or asks for one. */
  enter(asked: Asked, request: ProxyRequest, message: Message): Promise<Approved | Refused>;
  /** The answer to a request that cannot be shown, because its body is too large. */
  refuseTooLarge(asked: Asked, request: ProxyRequest): Refused;
}

export function createApprove({ digest, gate }: Pick<Ports, 'digest'> & { gate: Gate }): Approve {
  const decided = (asked: Asked, outcome: Decided['outcome']): Decided => {
    const { userId, actor, integration, account, owner, access } = asked;
    return { userId, actor, integration, account, owner, access, outcome };
  };

  const block = (asked: Asked, { method }: ProxyRequest, why: string): Refused =>
    refuseDecided(
      decided(asked, 'blocked'),
      `A person has to approve this ${method} request to ${asked.integration.displayName}, and ${why}`,
    );

  const refuseTooLarge = (asked: Asked, request: ProxyRequest): Refused =>
    block(
      asked,
      request,
      `what is larger than ${showBytes(MAX_SHOWN_BYTES)} cannot be shown. Use a tool of ${asked.integration.name}, with file:<handle> for large contents`,
    );

  return {
    refuseTooLarge,

    async enter(asked, request, message) {
      const { access, account, owner, actor, connection, destination, integration, question, userId } = asked;
      const args = showRequest(request, message, digest);
      if (isPacked(args.headers))
        return block(asked, request, 'a compressed body cannot be read. Send it without Content-Encoding');
      if (JSON.stringify(args).length > MAX_SHOWN_BYTES) return refuseTooLarge(asked, request);
      const entry = await gate.enterRequest(
        { userId, actor },
        {
          integration,
          connection,
          account,
          owner,
          name: `${args.method} ${args.path}`,
          access,
          definition: { base: destination.base, headers: destination.defaults },
          args,
          permissions: question.permissions,
        },
      );
      const approval = approvalIdOf(entry) ?? undefined;
      switch (entry.kind) {
        case 'run':
          return entry;
        case 'asked':
          return refuseDecided({ ...decided(asked, 'asked'), approval }, entry.message, entry.approval);
        case 'denied':
          return refuseDecided({ ...decided(asked, 'denied'), approval }, entry.message);
        case 'refused':
          return refuseDecided(decided(asked, 'blocked'), entry.message);
      }
    },
  };
}

function isPacked(headers: Readonly<Record<string, string | string[]>> = {}): boolean {
  const encodings = [headers['content-encoding'] ?? []].flat();
  return encodings.some((encoding) => encoding.trim().toLowerCase() !== 'identity');
}

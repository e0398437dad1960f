// The step that asks a person about a raw request: what runs is exactly what they were shown. reference: Approvals; decision: 038
import { APPROVAL_ARGUMENT_CHARACTERS } from '../policy/model/limits.ts';
import { showBytes } from '../kit/binary.ts';
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import type { Ports } from '../ports/ports.ts';
import type { Ended, Entered, Judged } from './effect.ts';
import type { Destined } from './find-destination.ts';
import type { RequestEnding } from './outcome.ts';
import { showRequest } from './shown-request.ts';
import type { RawRequest, Wire } from './wire.ts';

/** Longer bodies are not read: no person could look at them. */
const MAX_SHOWN_BYTES = APPROVAL_ARGUMENT_CHARACTERS;
const EMPTY = new Uint8Array();

export interface RequestToShow extends Pick<Judged, 'access'>, Destined {
  integration: Integration;
  request: RawRequest;
  permissions: Permissions;
  because?: string | undefined;
}

export type AskAboutRequest = (
  caller: Identity,
  asked: RequestToShow,
  wire: Wire,
) => Promise<Entered | Ended<RequestEnding>>;

export function createAskAboutRequest({
  digest,
  gate,
}: Pick<Ports, 'digest'> & { gate: Pick<Gate, 'enterRequest'> }): AskAboutRequest {
  return async function askAboutRequest(caller, asked, wire) {
    const { access, because, connection, destination, integration, named, permissions, request } = asked;
    if (wire.announced > MAX_SHOWN_BYTES) return refuseTooLarge(asked);
    wire.askForBody();
    const read = wire.hasBody ? await wire.readBody(MAX_SHOWN_BYTES) : EMPTY;
    if (read === 'too-large') return refuseTooLarge(asked);
    if (read === 'caller-gone' || wire.isCallerGone()) return { ending: { kind: 'caller-gone' } };
    const body = read.length === 0 ? null : read;
    const args = showRequest(request, { headers: wire.headersFor(asked), body }, digest);
    if (isPacked(args.headers))
      return refuse(asked, 'a compressed body cannot be read. Send it without Content-Encoding');
    if (JSON.stringify(args).length > MAX_SHOWN_BYTES) return refuseTooLarge(asked);
    const entry = await gate.enterRequest(caller, {
      integration,
      connection,
      ...named,
      name: `${args.method} ${args.path}`,
      access,
      definition: { base: destination.base, headers: destination.defaults },
      args,
      because,
      permissions,
    });
    return { entry, body };
  };
}

const refuse = ({ integration, request }: RequestToShow, why: string): Ended<never> => ({
  ending: {
    kind: 'blocked',
    message: `A person has to approve this ${request.method} request to ${integration.displayName}, and ${why}`,
  },
});

const refuseTooLarge = (asked: RequestToShow): Ended<never> =>
  refuse(
    asked,
    `what is larger than ${showBytes(MAX_SHOWN_BYTES)} cannot be shown. Use a tool of ${asked.integration.name}, with file:<handle> for large contents`,
  );

function isPacked(headers: Readonly<Record<string, string | string[]>> = {}): boolean {
  const encodings = [headers['content-encoding'] ?? []].flat();
  return encodings.some((encoding) => encoding.trim().toLowerCase() !== 'identity');
}

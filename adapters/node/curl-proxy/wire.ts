// Gives the core the two sides of a raw request: what the caller sends, and the relay to the upstream.
import type { PinnedPools } from '../../../drivers/network/pinned-pools.ts';
import type { Wire } from '../../../src/calls/wire.ts';
import { type Access, askForBody, type Call } from './call.ts';
import { callerHeaders } from './headers.ts';
import { relay } from './relay.ts';
import { announcedBytes, hasBody, readBody } from './upload.ts';

export function createOpenWire(pools: PinnedPools): (call: Call, access: Access) => Wire {
  return function openWire(call, access) {
    const { incoming, outgoing, requestId } = call;
    return {
      isEnded: () => access.isEnded,
      hasBody: hasBody(incoming),
      announced: announcedBytes(incoming),
      namesTrace: incoming.headers['traceparent'] !== undefined,
      isCallerGone: () => outgoing.destroyed,
      askForBody: () => askForBody(call),
      readBody: (most) => readBody(incoming, most),
      headersFor: (sent) => callerHeaders(incoming.rawHeaders, sent),
      relay: (exchange) => relay(pools, { incoming, outgoing, requestId, access }, exchange),
    };
  };
}

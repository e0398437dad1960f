// Describes the route that shows the state of the whole gateway, and declares its answer. reference: State of the gateway
import * as z from 'zod';
import { failure, type Operations, reply } from '../http/operation.ts';
import { INSTRUMENT_NAMES, INSTRUMENT_STATES } from '../kit/instrument.ts';

const gatewayState = () =>
  z.object({
    version: z.string(),
    startedAt: z.int().describe('When the answering process started, Unix seconds'),
    instruments: z.array(
      z.object({
        name: z.enum(INSTRUMENT_NAMES),
        state: z
          .enum(INSTRUMENT_STATES)
          .describe('`good` and `bad` were found out for this answer. `off` is not set up.'),
        kind: z.string().describe('What is set up').exactOptional(),
        problem: z.string().describe('What is wrong').exactOptional(),
        cure: z.string().describe('What an operator does next').exactOptional(),
        at: z.int().describe('When it did its work last, Unix seconds').exactOptional(),
      }),
    ),
  });
export type GatewayState = z.infer<ReturnType<typeof gatewayState>>;

export const gatewayOperations: Operations = () => ({
  'GET /api/admin/gateway': {
    id: 'getGateway',
    tag: 'Administration',
    summary: 'Read the state of the whole gateway, what is bad first',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply('What was found', gatewayState()),
      403: failure('The caller is not an administrator'),
      404: failure('The user is gone'),
    },
  },
});

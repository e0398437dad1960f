// Describes the health routes, and declares what they answer. reference: Health and metrics
import * as z from 'zod';
import { type Operations, reply } from '../http/operation.ts';
import { PARTS } from './readiness.ts';

const healthy = () => z.object({ status: z.literal('ok') });
const unready = () =>
  z.object({
    status: z.literal('unavailable'),
    failed: z.array(z.enum(PARTS)),
  });
export type Healthy = z.infer<ReturnType<typeof healthy>>;
export type Unready = z.infer<ReturnType<typeof unready>>;

export const healthOperations: Operations = () => ({
  'GET /api/health': {
    id: 'getHealth',
    tag: 'Health',
    summary: 'Whether the process answers',
    access: 'read',
    caller: 'anyone',
    replies: { 200: reply('It does', healthy()) },
  },
  'GET /api/health/ready': {
    id: 'getReadiness',
    tag: 'Health',
    summary: 'Whether the stores behind the gateway answer',
    access: 'read',
    caller: 'anyone',
    replies: { 200: reply('All of them do', healthy()), 503: reply('Some do not', unready()) },
  },
});

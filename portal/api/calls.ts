// Fetches a single call, with its arguments and result as far as they are kept. reference: Call details
import type { OneCall } from '../../src/record/details/operations.ts';
import { request } from './client.ts';

export type Call = OneCall;
export type CallDetails = Call['details'];
export type KeptDetails = Extract<CallDetails, { state: 'kept' }>;
export type Copied = KeptDetails['args'];

export function fetchCall(id: string): Promise<Call> {
  return request(`/api/calls/${encodeURIComponent(id)}`);
}

// Fetches a single call, with its arguments and result as far as they are kept. reference: Call details
import { request } from './client.ts';
import type { Access, AuditEntry } from './types.ts';

/** A value as the gateway has kept it: without secrets, and perhaps cut. */
export interface Copied {
  value: unknown;
  isCut: boolean;
  /** JSON pointers to the members that were left out as secrets. */
  withheld: string[];
}

export interface KeptDetails {
  state: 'kept';
  args: Copied;
  /** Null for a call without a result. */
  result: Copied | null;
  /** The expression that chose a part of the result. */
  select: string | null;
  /** Unix seconds. */
  expiresAt: number;
}

export type CallDetails =
  | KeptDetails
  /** Not kept, kept no longer, turned off by the person or by the operator, or another person's. */
  | { state: 'none' | 'off' | 'disabled' | 'private' };

export interface Call extends AuditEntry {
  client_name: string | null;
  access: Access | null;
  request_id: string | null;
  approval: string | null;
  /** The last HTTP status of the provider. */
  status: number | null;
  /** The label of the account, where the person has several. */
  account?: string;
  details: CallDetails;
}

export function fetchCall(id: string): Promise<Call> {
  return request(`/api/calls/${encodeURIComponent(id)}`);
}

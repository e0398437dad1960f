// What a deploy is to do. It is decided when the tool is called, and kept with the upload token where there is one.
import type { Jot } from '../../ports/records.ts';

export interface ReplaceRequest {
  kind: 'replace';
  name: string;
  userId: string;
  access: Jot['access'];
  /** Null with `password`: the one that stands. */
  password_hash: string | null;
  cors: boolean;
}

/** Settings are those of the live jot, never of the request. spec: Patch mode */
export interface PatchRequest {
  kind: 'patch';
  name: string;
  userId: string;
  delete: readonly string[];
}

export type DeployRequest = ReplaceRequest | PatchRequest;

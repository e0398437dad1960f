// Declares what is stored of machines that call: their clients, and the issuers whose tokens count. Times are Unix seconds.
import type { AgentKey } from './policy.ts';

/** A program that proves who it is with a secret or a key of its own, and acts with a named key. decision: 054 */
export interface MachineClient {
  client_id: string;
  /** The administrator who made it: the owner of the named key. */
  user_id: string;
  key_id: string;
  name: string;
  /** The SHA-256 of the secret. Null for a client with a key of its own. */
  secret_sha: string | null;
  /** The public key, as a JWK. Null for a client with a secret. */
  jwk: string | null;
  created_at: number;
  last_used_at: number | null;
}

/** Somebody else's issuer of tokens. */
export interface TrustedIssuer {
  id: string;
  name: string;
  /** The `iss` of its tokens, without a slash at the end. No two rows have the same. */
  issuer: string;
  audience: string;
  /** The administrator who added it, or the pseudonym of one who is deleted. */
  created_by: string;
  /** Changes with every write of the rules. */
  revision: string;
  created_at: number;
}

/** Which tokens of an issuer act with which named key. A rule never changes: another one takes its place. */
export interface TrustedRule {
  id: string;
  issuer_id: string;
  /** The administrator who made it: the owner of the named key. */
  user_id: string;
  key_id: string;
  /** The rules of an issuer are tried in this order. */
  place: number;
  /** The pattern of the subject. */
  sub: string;
  /** Patterns of other claims, as JSON. */
  claims: string;
  created_at: number;
  last_used_at: number | null;
}

export interface IssuerWithRules {
  issuer: TrustedIssuer;
  rules: TrustedRule[];
}

/** The rules of a change name no issuer and no place: their issuer and their order say both. */
export type NewRule = Omit<TrustedRule, 'issuer_id' | 'place'>;

export interface Machines {
  /** Whether there is any client, and any issuer. */
  any(): Promise<{ clients: boolean; issuers: boolean }>;
  /** Returns the named key while the person may act and the client or rule `via` is there and bound to the key. */
  key(keyId: string, via: string): Promise<AgentKey | null>;
  /** Returns false when the person has no such key, or `most` clients. Parallel calls never get past it. */
  addClient(client: MachineClient, most: number): Promise<boolean>;
  client(clientId: string): Promise<MachineClient | null>;
  /** Lists the clients of everybody, the newest first. */
  clients(): Promise<MachineClient[]>;
  /** Returns false when there is none. */
  deleteClient(clientId: string): Promise<boolean>;
  /** Returns false when the issuer is trusted already, or there are `most`. Exactly one of parallel calls adds it. */
  addIssuer(issuer: TrustedIssuer, rules: readonly NewRule[], most: number): Promise<boolean>;
  /** Finds the issuer by its id or by the `iss` of its tokens. */
  issuer(by: { id: string } | { issuer: string }): Promise<IssuerWithRules | null>;
  /** Lists all issuers, ordered by name. */
  issuers(): Promise<IssuerWithRules[]>;
  /**
   * Writes the name and the rules while the revision is the one that was seen. A rule whose id stays keeps its last use.
   * Exactly one of parallel calls with one revision returns true.
   */
  changeIssuer(
    seen: Pick<TrustedIssuer, 'id' | 'revision'>,
    change: Pick<TrustedIssuer, 'name' | 'revision'> & { rules: readonly NewRule[] },
  ): Promise<boolean>;
  deleteIssuer(id: string): Promise<boolean>;
  /** Notes a use of a client or a rule, unless a later one is noted. */
  noteUse(via: string, now: number): Promise<void>;
}

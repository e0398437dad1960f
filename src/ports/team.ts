// Declares how team connections are stored: one of an integration at most, whose row in `connections` is owned by everyone.
import type { Connection } from './records.ts';

/** The account of every team connection. No account of a person is named so. */
export const TEAM_ACCOUNT = 'team';

/** Says who may use a team connection, and for what. Without a rule nobody may. */
export interface TeamRule {
  integration: string;
  /** False where only the listed people and groups may use it. */
  everyone: boolean;
  /** What a call may do at most. */
  access: 'read' | 'write' | 'destroy';
  /** The administrator who connected it last, or the pseudonym of one who is deleted. */
  connected_by: string | null;
  connected_at: number;
  updated_at: number;
  /** When a call last used it, to the minute. */
  last_used_at: number | null;
}

/** A team connection as a person may use it. */
export interface TeamConnection {
  connection: Connection;
  access: TeamRule['access'];
}

export interface TeamChange {
  access?: TeamRule['access'] | undefined;
  /** The ids of the people who may use it. Those that are of nobody are left out. */
  who?: 'everyone' | readonly string[] | undefined;
  /** The groups whose people may use it, beside those of `who`. */
  groups?: readonly string[] | undefined;
}

export interface TeamConnections {
  /** The team connection of an integration, as its rule lets the person use it. Null where there is none for them. */
  usable(userId: string, integration: string): Promise<TeamConnection | null>;
  /** Lists with one statement what the person may use: their own connections and those of the team. In no order. */
  reachable(userId: string): Promise<{ own: Connection[]; team: TeamConnection[] }>;
  /** Lists the rules, ordered by integration. There are never more than integrations. */
  rules(): Promise<TeamRule[]>;
  /** Lists the people that the rules name. */
  people(): Promise<{ integration: string; user_id: string }[]>;
  /** Lists the groups that the rules name. */
  groups(): Promise<{ integration: string; name: string }[]>;
  /**
   * Stores the connection, and ends in the same step the approvals for it that have not run. A renewed one keeps its rule. A
   * new one gets the rule that nobody may use it, and reading only.
   */
  save(connection: Connection, rule: Pick<TeamRule, 'connected_by' | 'connected_at'>): Promise<void>;
  /** Changes the rule. Returns false when there is no such team connection. */
  change(integration: string, change: TeamChange, now: number): Promise<boolean>;
  /** Takes the connection from everyone: deletes the rule, and ends the approvals that have not run. */
  withdraw(integration: string): Promise<void>;
  /** Notes a use, unless a later one is noted. */
  noteUse(integration: string, now: number): Promise<void>;
}

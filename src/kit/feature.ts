// Declares a feature: one value that holds everything the gateway asks of a part of it. `src/features.ts` lists them, and the
// loops over that list are all that the rest of the gateway knows of a feature. decision: 002
import type { Hono, MiddlewareHandler } from 'hono';
import type { Operations, SharedSchemaName } from '../http/operation.ts';
import type { Clock } from '../ports/clock.ts';
import type { User } from '../ports/records.ts';
import type { SharedCounts } from '../ports/shared-counts.ts';
import type { Identify } from './actor.ts';
import type { ApprovalDecided } from './approval-decided.ts';
import type { ConnectionChanged } from './connection-change.ts';
import type { EventStored } from './event-stored.ts';
import type { Instrument } from './instrument.ts';
import type { Integration } from './integration.ts';
import type { Notify } from './notice.ts';
import type { LimitUse, ShownToAdministrators } from './personal.ts';
import type { SealedRow } from './sealed-row.ts';

/** What state without connections may be made of. */
export interface SharedNeeds {
  clock: Clock;
  sharedCounts?: SharedCounts | undefined;
}

/** Reads the routes that a feature has built. */
export type Routes = Pick<Hono, 'routes' | 'fetch'>;
type CreateRoutes<Deps> = (deps: Deps) => Routes;

/** `identify` tells who calls, by the credentials of the routes' door. */
export type Door<Deps> = Deps & { identify: Identify };

export interface Guard {
  path: string;
  run: MiddlewareHandler;
}

/** What a round of the maintenance gives to each chore. */
export interface Round {
  /** Unix seconds. */
  now: number;
  /** Aborts when the gateway stops. */
  stop: AbortSignal | undefined;
  /** True once an hour, for what need not be looked at each minute. */
  purge: boolean;
  /** Runs a portion again until nothing is left, at the pace of the round and within its time. */
  repeat: (portion: () => Promise<boolean>) => Promise<void>;
}

/** A failure is logged by the name of the chore, and the next chore runs all the same. */
export type Chores = Readonly<Record<string, () => Promise<unknown> | undefined>>;

/** Lists of what is stored of a person, by the names they have in an export. Each is read when the one before it was sent. */
export type Exported = Readonly<Record<string, () => AsyncIterable<object> | Promise<Iterable<object>>>>;

/**
 * The type of a value is written with `satisfies Feature`, and each function names what it takes. `Deps` are all parts that
 * the features make together.
 */
export interface Feature<in Deps = never> {
  readonly name: string;
  /** Makes state without connections, by name. The gateways of an isolate share it. */
  readonly shared?: Readonly<Record<string, (needs: SharedNeeds) => unknown>>;
  /** Makes what routes and other features use, by name. A part is made when another one first asks for it. */
  readonly parts?: Readonly<Record<string, (deps: Deps) => unknown>>;
  /** Integrations that the gateway itself brings. Null where this gateway does not have it. */
  readonly integrations?: readonly ((deps: Deps) => Integration | null)[];
  /** Runs before the routes of all features. */
  readonly guards?: (deps: Deps) => readonly Guard[];
  /** A fixed path stands before a pattern that matches it. */
  readonly routes?: {
    readonly portal?: readonly CreateRoutes<Door<Deps>>[];
    readonly machine?: readonly CreateRoutes<Door<Deps>>[];
    readonly open?: readonly CreateRoutes<Deps>[];
  };
  /** Describes the routes. reference: OpenAPI */
  readonly operations?: readonly Operations[];
  /** The schemas that several operations have. The description has each of them once. */
  readonly schemas?: () => readonly SharedSchemaName[];
  /** What has to be done again and again. reference: Maintenance */
  readonly chores?: (deps: Deps, round: Round) => Chores;
  /** The stored values that are sealed, in pages. reference: Secrets at rest */
  readonly sealed?: readonly ((deps: Deps) => AsyncIterable<readonly SealedRow[]>)[];
  readonly personal?: {
    /** What administrators see of a person. */
    readonly show?: (deps: Deps) => (userId: string) => Promise<Partial<ShownToAdministrators>>;
    /** Credentials stay out. reference: Exporting a person */
    readonly export?: (deps: Deps) => (user: User) => Exported;
    /** Deletes what a person owns. It may run again, and on several processes. reference: Deleting a person */
    readonly erase?: (deps: Deps) => (userId: string) => Promise<void>;
    /** Does the same as `erase` for many actors at once, and puts the pseudonym on what outlives them. */
    readonly eraseActors?: (deps: Deps) => (userIds: readonly string[], pseudonym: string) => Promise<void>;
    /** Puts a pseudonym on what outlives these people. It may run again. */
    readonly rename?: (deps: Deps) => (userIds: readonly string[], pseudonym: string) => Promise<void>;
  };
  /** What a person uses of their limits. reference: Limits per person */
  readonly limits?: (deps: Deps) => (userId: string) => Promise<readonly LimitUse[]>;
  /** What administrators see of the state of the gateway. Each look checks again. */
  readonly instruments?: (deps: Deps) => () => Promise<readonly Instrument[]>;
  /** Is told of each change, one listener after another. */
  readonly connectionChanged?: (deps: Deps) => ConnectionChanged;
  /** Is told of each decision of a person about a call. */
  readonly approvalDecided?: (deps: Deps) => ApprovalDecided;
  /** Is told of what a person should hear of outside the portal. */
  readonly notified?: (deps: Deps) => Notify;
  /** Is told of each event of the outside that was stored. */
  readonly eventStored?: (deps: Deps) => EventStored;
}

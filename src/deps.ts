// Makes the parts that the features share, out of what an adapter brings. The features themselves say which parts they make.
import { HASHES_AT_ONCE, HASHES_WAITING } from './memory/limits.ts';
import { type Keys, openKeys } from './crypto/keys.ts';
import { createEgress, type Egress } from './egress/door.ts';
import { FEATURES } from './features.ts';
import {
  type AddressCounts,
  type AddressLimits,
  createAddressCounts,
  createAddressLimits,
} from './http/address-limits.ts';
import { createSendJson, type SendJson } from './http/large-json.ts';
import { createReadLargeBody, type ReadLargeBody } from './http/request-body.ts';
import type { ApprovalDecided } from './kit/approval-decided.ts';
import type { ConnectionChanged } from './kit/connection-change.ts';
import type { Feature, SharedNeeds } from './kit/feature.ts';
import type { Integration } from './kit/integration.ts';
import { hostsOf } from './kit/known-hosts.ts';
import { makeParts } from './kit/parts.ts';
import { createRegistry, type Registry } from './kit/registry.ts';
import { createMemoryBudget, type MemoryBudget } from './memory/budget.ts';
import { createFairQueue, type FairQueue } from './memory/fair-queue.ts';
import { createHeavyTurns, type HeavyTurn } from './memory/heavy-turns.ts';
import { type CallCounts, createCallCounts } from './memory/per-person.ts';
import type { Blobs } from './ports/blobs.ts';
import type { Ports } from './ports/ports.ts';
import type { SharedCounts } from './ports/shared-counts.ts';

/** What an adapter brings: the ports and the built-in integrations. */
export interface GatewayPorts extends Ports {
  integrations: readonly Integration[];
  /** The bucket or folder of AUDIT_HEADS, where it names one. */
  auditHeads?: Blobs | undefined;
  /** True where a request may use only connections that it has opened itself, as on an edge runtime. */
  isIsolated?: boolean;
  /** Set where several processes are one gateway behind one port. decision: 010 */
  sharedCounts?: SharedCounts | undefined;
}

type Listed = (typeof FEATURES)[number];
type Makers = Record<string, (needs: never) => unknown>;
type Made<M> = { [Name in keyof M]: M[Name] extends (needs: never) => infer Part ? Part : never };
type Together<Each> = (Each extends unknown ? (one: Each) => void : never) extends (all: infer All) => void
  ? All
  : never;
type PartsOf<F> = F extends { parts: infer M extends Makers } ? Made<M> : never;
type SharedOf<F> = F extends { shared: infer M extends Makers } ? Made<M> : never;
type FeatureParts = Together<PartsOf<Listed>>;
type FeatureShared = Together<SharedOf<Listed>>;

/** State without connections: an adapter that makes several `Deps` shares one of these among them. */
export interface Shared extends FeatureShared {
  addressCounts: AddressCounts;
}

/** What the ground brings to every feature. */
interface Ground extends Keys {
  addressLimits: AddressLimits;
  approvalDecided: ApprovalDecided;
  /** Counts the calls of each person in this process. */
  calls: CallCounts;
  connectionChanged: ConnectionChanged;
  egress: Egress;
  features: readonly Feature<Deps>[];
  /** Everything that people hash slowly waits here. */
  hashing: FairQueue;
  /** Long steps of all requests take turns here. */
  heavyTurn: HeavyTurn;
  memoryBudget: MemoryBudget;
  readLargeBody: ReadLargeBody;
  /** The built-in integrations. */
  registry: Registry;
  sendJson: SendJson;
}

export interface Deps extends GatewayPorts, Shared, Ground, FeatureParts {}

export function createShared(needs: SharedNeeds, features: readonly Feature<Deps>[] = FEATURES): Shared {
  const shared = features.flatMap((feature) => Object.entries(feature.shared ?? {}));
  const made = Object.fromEntries(shared.map(([name, make]) => [name, make(needs)]));
  // The list of the features is what the type `Shared` was made of.
  return { ...made, addressCounts: createAddressCounts(needs) } as unknown as Shared;
}

export async function createDeps(
  ports: GatewayPorts,
  given?: Shared,
  features: readonly Feature<Deps>[] = FEATURES,
): Promise<Deps> {
  const shared = given ?? createShared(ports, features);
  const keys = await openKeys(ports.config, ports.random);
  const ground = { ...ports, ...shared, ...keys, features };
  // The list of the features is what the type `Deps` was made of.
  return makeParts(ground, [GROUND, ...features.map(({ parts = {} }) => parts)]) as Deps;
}

/** What the ground makes by itself. */
const GROUND = {
  addressLimits: createAddressLimits,
  approvalDecided: tellOfDecisions,
  calls: createCallCounts,
  connectionChanged: tellListeners,
  egress: (deps: Deps) =>
    createEgress({
      clock: deps.clock,
      config: deps.config,
      heavyTurn: deps.heavyTurn,
      network: deps.network,
      hosts: hostsOf(deps.integrations),
    }),
  hashing: () => createFairQueue({ maxRunning: HASHES_AT_ONCE, maxWaitingPerOwner: HASHES_WAITING }),
  heavyTurn: createHeavyTurns,
  memoryBudget: ({ memory }: Ports) => createMemoryBudget(memory),
  readLargeBody: createReadLargeBody,
  registry: (deps: Deps) =>
    createRegistry([
      ...deps.integrations,
      ...deps.features.flatMap(({ integrations = [] }) => integrations.flatMap((make) => make(deps) ?? [])),
    ]),
  sendJson: createSendJson,
};

/** Listeners are made at the first change: they may need parts that tell of changes. */
function tellListeners(deps: Deps): ConnectionChanged {
  let listeners: readonly ConnectionChanged[] | undefined;
  return async function connectionChanged(change) {
    listeners ??= deps.features.flatMap(({ connectionChanged: listen }) =>
      listen === undefined ? [] : [listen(deps)],
    );
    for (const tell of listeners) await tell(change);
  };
}

function tellOfDecisions(deps: Deps): ApprovalDecided {
  let listeners: readonly ApprovalDecided[] | undefined;
  return function approvalDecided(decided) {
    listeners ??= deps.features.flatMap(({ approvalDecided: listen }) =>
      listen === undefined ? [] : [listen(deps)],
    );
    for (const tell of listeners) tell(decided);
  };
}

// Declares the guard of routes that do what no single tool says, such as those of a person's browser. reference: Rules
import type { Identity } from './actor.ts';
import type { Integration } from './integration.ts';

/**
 * Throws 403 for a caller that may not make every call of each of these integrations without asking. A person in the portal
 * may.
 */
export type RequireEveryCall = (caller: Identity, integrations: readonly Integration[]) => Promise<void>;

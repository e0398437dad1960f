// Declares the guard of routes that do what a tool does. reference: Rules
import type { Identity } from './actor.ts';

/** Throws 403 for a caller that may not use the built-in tool without asking. A person in the portal may. */
export type RequireTool = (caller: Identity, tool: string) => Promise<void>;

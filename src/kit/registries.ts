// Declares what each person can use: the built-in integrations, the imports of everyone, and their own imports.
import type { Integration, Tool } from './integration.ts';
import type { RegisteredTool, Registry } from './registry.ts';

/** Finds the tools that people have made of what they use, by the revision of `Imports.revision`. */
export type SavedTools = (userId: string, revision: string) => Promise<Registry>;

export interface Registries {
  /** The same for everybody. */
  readonly builtIn: Registry;
  /** Everything that the person can use. It reads one row, and more only after an import has changed. */
  of(userId: string): Promise<Registry>;
  /** Looks among the built-in integrations first, and reads nothing for them. */
  integration(userId: string, name: string): Integration | null | Promise<Integration | null>;
  /** Looks among the built-in tools first, and reads nothing for them. */
  tool(userId: string, name: string): Promise<RegisteredTool | null>;
  /** Returns the tools of an integration, and reads nothing for a built-in one. */
  toolsOf(userId: string, integration: Integration): Promise<readonly Tool[]>;
}

// Declares what a tool may do at most.
export type Access = 'read' | 'write' | 'destroy';

export const ACCESS_LEVELS = ['read', 'write', 'destroy'] as const satisfies readonly Access[];

/** Whether a ceiling allows an access level. */
export function isWithin(access: Access, ceiling: Access): boolean {
  return ACCESS_LEVELS.indexOf(access) <= ACCESS_LEVELS.indexOf(ceiling);
}

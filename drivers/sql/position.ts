// Names the function that finds a text in another one: no text needs to be escaped for it, as for `like`.
export const POSITION = { sqlite: 'instr', postgres: 'strpos' } as const;

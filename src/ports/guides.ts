// Reads the guides of the built-in integrations, by the names of these.
export type Guides = ReadonlyMap<string, string>;

export type ReadGuides = () => Promise<Guides>;

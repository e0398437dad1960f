// Brings the texts that a program may leave out. Of the built-in integrations: the descriptions and schemas of their tools, their
// words for the search, and their logos. Of the search: its tables. Of the gateway: the description of its operations. Whoever
// reads one of these waits first. What a call needs is always there.
export interface Texts {
  /** Waits until the integration of this name has its texts. It waits for nothing where there is none. */
  of(integration: string): Promise<void>;
  /** Waits until all integrations have their texts. */
  all(): Promise<void>;
  tables(): Promise<SearchTables>;
  /** `describe` is called where the program carries what the operations say. */
  operations(describe: () => DescribedOperations): Promise<DescribedOperations>;
}

/** The routes of the gateway in OpenAPI, without what is set in one gateway. */
export interface DescribedOperations {
  paths: Readonly<Record<string, unknown>>;
  schemas: Readonly<Record<string, unknown>>;
}

/** What the search knows of words, beside what integrations say of theirs. `src/search/tables.ts` has it. */
export interface SearchTables {
  /** Maps other spellings to one term, or to two with a plus. */
  aliases: Readonly<Record<string, string>>;
  /** Groups of words for one idea. */
  related: readonly (readonly string[])[];
  idioms: Readonly<Record<string, string>>;
  /** What a noun means at the place of a verb. */
  verbSenses: Readonly<Record<string, string>>;
  /** English, German and French. */
  verbs: readonly Translated[];
  nouns: readonly Translated[];
  foreignStopWords: string;
  foreignQuestions: string;
}

export type Translated = readonly [english: string, german: string, french: string];

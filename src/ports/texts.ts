// Brings the texts of the built-in integrations, which a program may leave out: the descriptions and schemas of their tools,
// their words for the search, and their logos. Whoever reads one of these waits first. What a call needs is always there.
export interface Texts {
  /** Waits until the integration of this name has its texts. It waits for nothing where there is none. */
  of(integration: string): Promise<void>;
  /** Waits until all integrations have their texts. */
  all(): Promise<void>;
}

// Declares the words that people use for an integration and its tools, and that their names and descriptions lack.

/** Data for the search. Several words are one text, with spaces between them. */
export interface Words {
  /** What people call the integration, apart from its name. */
  spoken?: string;
  /** Names of what belongs to the integration: who says one of them means no other integration. */
  owned?: string;
  /** Set when the name of the integration is also a common word. Then the name does not exclude other integrations. */
  isCommon?: true;
  /** Maps other spellings to one term, or to two with a plus. All tools and queries use the result. */
  aliases?: Readonly<Record<string, string>>;
  /** Groups words for one idea. A member finds the others, ranked below a tool that contains the word itself. */
  related?: readonly (readonly string[])[];
  /** What people call the things of the integration, by the word that its tools use. */
  called?: Readonly<Record<string, string>>;
  /** What each tool is for, by its name: what it does, before a colon, and other words for what it does it with. */
  tools?: Readonly<Record<string, string>>;
}

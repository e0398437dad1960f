// Reads a GraphQL document of a caller, and writes it again as it was understood.

const MAX_CHARACTERS = 100_000;
const MAX_TOKENS = 20_000;

/**
 * The document must hold one operation of this kind. What is sent is written from what was read, so the service cannot
 * understand another operation than the one that was checked.
 */
export async function readDocument(text: string, kind: 'query' | 'mutation'): Promise<string> {
  if (text.length > MAX_CHARACTERS)
    throw new Error(
      `The document is longer than ${MAX_CHARACTERS} characters. Give long values as variables`,
    );
  // Only callers of GraphQL pay for the library.
  const { GraphQLError, parse, print } = await import('./language.ts');
  try {
    const document = parse(text, { noLocation: true, maxTokens: MAX_TOKENS });
    const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
    const fragments = document.definitions.filter((definition) => definition.kind === 'FragmentDefinition');
    const [only] = operations;
    if (
      only === undefined ||
      operations.length + fragments.length < document.definitions.length ||
      operations.length > 1
    )
      throw new Error('Give a document with one operation, and with the fragments that it uses');
    if (only.operation !== kind)
      throw new Error(`This tool runs a ${kind} only, and the document has a ${only.operation}`);
    return print(document);
  } catch (error) {
    if (error instanceof RangeError) throw new Error('The document is nested too deeply', { cause: error });
    if (!(error instanceof GraphQLError)) throw error;
    const [place] = error.locations ?? [];
    const where = place === undefined ? '' : ` at line ${place.line}, column ${place.column}`;
    throw new Error(`The document is not GraphQL: ${error.message}${where}`, { cause: error });
  }
}

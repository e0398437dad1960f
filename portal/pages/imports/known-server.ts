// Adds a well-known MCP server: what the catalogue knows about it completes what the preview finds.
import { addImport, previewImport } from '../../api/import-changes.ts';
import type { CatalogueServer } from '../../api/imports.ts';
import { type AddDraft, findProblems, formOf, type Found, startDraft } from './add-draft.ts';

export interface KnownFound {
  found: Found;
  draft: AddDraft;
}

/** Looks at the server. The catalogue's names and headers come from the provider's documentation, so they win. */
export async function lookAtKnown(server: CatalogueServer, signal?: AbortSignal): Promise<KnownFound> {
  const source = { address: server.address };
  const preview = await previewImport(source, signal);
  const draft = startDraft(preview);
  const { name, displayName, headers } = server;
  const pairs = Object.entries(headers ?? {}).map(([header, value]) => ({ name: header, value }));
  const way = pairs.length === 0 ? draft.way : { ...draft.way, type: 'headers' as const, headers: pairs };
  return { found: { source, preview }, draft: { ...draft, name, displayName, way } };
}

/** Adds the server and returns its name, or returns null when the person has to look at something first. */
export async function addKnownServer(
  server: CatalogueServer,
  taken: ReadonlySet<string>,
): Promise<string | null> {
  const { found, draft } = await lookAtKnown(server);
  const { auth, listed, tools, warnings } = found.preview;
  const isComplete = Object.keys(findProblems(draft, found.preview, taken)).length === 0;
  // A server that lists nothing warns about its sign-in, and the catalogue knows how people connect.
  const isAsKnown = listed ? warnings.length === 0 : server.auth !== 'oauth2' || auth.type === 'oauth2';
  // A person looks at what an app may do before it is theirs.
  if (!isComplete || !isAsKnown || tools.some(({ app }) => app !== undefined)) return null;
  return (await addImport(formOf(found, draft))).name;
}

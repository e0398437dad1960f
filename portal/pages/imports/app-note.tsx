// Says in words what the page of a tool may do, and that only this page calls the tool.
import type { ImportedTool } from '../../api/imports.ts';
import { importsTexts } from '../../texts/imports.ts';

const words = importsTexts.apps;

export type ToolOfApp = Pick<ImportedTool, 'app' | 'onlyForApp'>;

/** The sentences come from the gateway, which knows what it passes on. */
export const sentencesOf = ({ app, onlyForApp }: ToolOfApp): string[] => [
  ...(onlyForApp === true ? [words.onlyForApp] : []),
  ...(app === undefined ? [] : [words.hasApp, ...app.may]),
];

export function AppNote({ tool }: { tool: ToolOfApp }) {
  const sentences = sentencesOf(tool);
  return sentences.length === 0 ? null : <p class="app-note muted">{sentences.join(' ')}</p>;
}

// Says which apps a set offers to a client that shows them, and what the pages may call. Hosts do not say which page calls, so a
// set offers the apps of one import only, and nothing but tools of that import is open to a page. reference: Apps; decision: 057
import type { Integration } from '../kit/integration.ts';
import { META_TOOL_NAMES } from '../kit/meta-tool-names.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import {
  APP_TYPE,
  type AppMeta,
  isForApp,
  isForModel,
  type ToolApp,
  type Visibility,
} from '../kit/tool-app.ts';
import { CARD_STATE } from './card/names.ts';

export interface SetApps {
  /** The import whose pages are shown. */
  integration: Integration;
  /** The pages by their addresses in the set. */
  pages: ReadonlyMap<string, ToolApp>;
  /** The tools that pages call, by the names that their server uses: a page knows no others. */
  ofPages: ReadonlyMap<string, RegisteredTool>;
}

const SCHEME = 'ui://';

/** Two imports never have the same address for a page, whatever their servers call it. */
const addressOf = ({ name }: Integration, { uri }: ToolApp): string =>
  `${SCHEME}${name}/${uri.slice(SCHEME.length)}`;

/** `tools` are those of the set that the caller may use. Null where none of them has a page. */
export function appsOf(
  tools: readonly RegisteredTool[],
  mayUse: (tool: RegisteredTool) => boolean,
): SetApps | null {
  const first = tools.find(
    ({ tool, integration }) => tool.app !== undefined && integration.imported !== undefined,
  );
  if (first === undefined) return null;
  const { integration } = first;
  const own = tools.filter((each) => each.integration === integration);
  const pages = own.flatMap(({ tool: { app } }) =>
    app === undefined ? [] : [[addressOf(integration, app), app] as const],
  );
  // A name that is a tool of the set already keeps its meaning.
  const taken = new Set([...tools.map(({ tool }) => tool.name), ...META_TOOL_NAMES, CARD_STATE]);
  const forApps = (integration.imported?.forApps ?? []).map((tool) => ({ tool, integration })).filter(mayUse);
  const callable = [...own.filter(({ tool }) => isForApp(tool)), ...forApps].flatMap((each) => {
    const { source } = each.tool;
    return source === undefined || taken.has(source) ? [] : [[source, each] as const];
  });
  return { integration, pages: new Map(pages), ofPages: new Map(callable) };
}

/** What a listed tool says about pages: a host lets a page call only what is open to pages. */
export function uiOf(
  { tool, integration }: RegisteredTool,
  apps: SetApps,
  visibility: readonly Visibility[] = visibilityOf({ tool, integration }, apps),
): { _meta: { ui: object } } {
  const isOwn = integration === apps.integration;
  const page = isOwn && tool.app !== undefined ? { resourceUri: addressOf(integration, tool.app) } : {};
  return { _meta: { ui: { ...page, visibility } } };
}

function visibilityOf({ tool, integration }: RegisteredTool, apps: SetApps): readonly Visibility[] {
  const who = [
    isForModel(tool) ? ('model' as const) : [],
    integration === apps.integration && isForApp(tool) ? ('app' as const) : [],
  ];
  return who.flat();
}

export const ONLY_FOR_MODEL = { _meta: { ui: { visibility: ['model'] } } };

export const listPages = ({ pages, integration }: SetApps): Record<string, unknown>[] =>
  [...pages].map(([uri, { uri: _, digest: __, ...meta }]) => ({
    uri,
    name: uri,
    title: `App of ${integration.displayName}`,
    mimeType: APP_TYPE,
    _meta: { ui: metaOf(meta) },
  }));

export const contentsOf = (uri: string, text: string, { csp, permissions, prefersBorder }: ToolApp) => ({
  contents: [
    {
      uri,
      mimeType: APP_TYPE,
      text,
      _meta: {
        ui: metaOf({
          ...(csp && { csp }),
          ...(permissions && { permissions }),
          ...(prefersBorder !== undefined && { prefersBorder }),
        }),
      },
    },
  ],
});

/** Only what a person was shown goes on. What is missing allows nothing. */
const metaOf = ({ csp = {}, permissions, prefersBorder }: AppMeta): AppMeta => ({
  csp,
  ...(permissions && { permissions }),
  ...(prefersBorder === undefined ? {} : { prefersBorder }),
});

// Declares the page with which a tool of an imported server shows itself in a host. MCP Apps, SEP-1865

export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';
export const APP_TYPE = 'text/html;profile=mcp-app';

export const CSP_MEMBERS = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;
/** What the page may reach. A member that is missing allows nothing. */
export type AppCsp = { [Member in (typeof CSP_MEMBERS)[number]]?: readonly string[] };

export const APP_PERMISSIONS = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
/** What the page may use of the device. */
export type AppPermissions = { [Permission in (typeof APP_PERMISSIONS)[number]]?: object };

/** What the server says about a page for the host that shows it. */
export interface AppMeta {
  csp?: AppCsp;
  permissions?: AppPermissions;
  prefersBorder?: boolean;
}

/** A page as it was accepted. `digest` is that of its HTML. */
export interface ToolApp extends AppMeta {
  /** The server's own address of it. */
  uri: string;
  digest: string;
}

/** Names who calls a tool: the model, the page, or both. */
export type Visibility = 'model' | 'app';

/** Without a word both may call a tool. */
export const isForModel = ({ visibility }: { visibility?: readonly Visibility[] | undefined }): boolean =>
  visibility?.includes('model') ?? true;
export const isForApp = ({ visibility }: { visibility?: readonly Visibility[] | undefined }): boolean =>
  visibility?.includes('app') ?? true;

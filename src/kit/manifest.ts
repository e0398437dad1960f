// How an integration is connected and called, as data: one block drives tools, the connect flow and the proxy.
export interface OAuth2Block {
  type: 'oauth2';
  /** `{instance}` stands for the connection's instance. */
  authorizeUrl: string;
  tokenUrl: string;
  /** Where tokens are refreshed, when not at tokenUrl. */
  refreshUrl?: string;
  scopes: readonly string[];
  scopeSeparator?: string;
  /** Slack asks for a person's own scopes as `user_scope`. */
  scopeParameter?: string;
  /** How the client proves itself at the token endpoint. */
  clientAuth: 'basic' | 'post' | 'none';
  tokenBody?: 'form' | 'json';
  authorizeParameters?: Readonly<Record<string, string>>;
  /** The provider wants the redirect URI again when it refreshes. */
  refreshWithRedirectUri?: boolean;
  /** JSON Pointer to the object that holds the tokens, when they are not at the root. */
  tokenPath?: string;
  /** Asked once after connecting; what the JSON Pointers find goes into the connection's config. */
  postConnect?: PostConnect;
}

export interface PostConnect {
  url: string;
  /** The answer is a list, and the pointers start at its first item that fits. */
  item?: {
    /** JSON Pointer to a list of what was granted, which has to hold this. */
    grants: { at: string; holds: string };
    /** JSON Pointer to its address, which is the instance where a person has named one. */
    instance: string;
  };
  /** By the name in the config, each a text that has to be there. */
  pick: Readonly<Record<string, string>>;
}

export interface ApiKeyField {
  key: string;
  label: string;
  secret: boolean;
  required: boolean;
  options?: readonly string[];
  placeholder?: string;
  help?: string;
}

export interface ApiKeyBlock {
  type: 'apikey';
  fields: readonly ApiKeyField[];
}

export interface CookieBlock {
  type: 'cookie';
  /** `{instance}` stands for the connection's instance. */
  loginUrl: string;
  /** Default: the log-in address's own host. */
  cookieDomains?: readonly string[];
}

export type Auth = { type: 'none' } | OAuth2Block | ApiKeyBlock | CookieBlock;

/** Where a person's own instance of the product is. */
export interface InstanceBlock {
  required: boolean;
  default?: string;
  example: string;
  /** The instance may live below a path, such as https://example.com/wiki. */
  path?: boolean;
}

/** Where the API is, and how the credential goes with a call. */
export interface ApiBlock {
  base: ApiBase;
  /** Other places of the same API, such as where files are uploaded, by the name a call asks for them with. */
  others?: Readonly<Record<string, string>>;
  credential: CredentialPlace;
  headers?: Readonly<Record<string, string>>;
  refusal?: Refusal;
}

/** How an API says no with a 200: `is` stands at one JSON Pointer, a code at another. */
export interface Refusal {
  at: string;
  is: unknown;
  code: string;
  /** The codes that are about the token: it is refreshed then, as after a 401. */
  unauthorized: readonly string[];
}

export type ApiBase =
  /** `{key}` stands for a value of the connection's config. */
  | string
  /** Below the instance; `at` names instances whose API is elsewhere, with `*` for one word of the host. */
  | { instancePath: string; at?: Readonly<Record<string, string>> }
  /** By a choice in the connection's config; `orInstance` is the path at an instance of the person's own. */
  | { by: string; bases: Readonly<Record<string, string>>; otherwise?: string; orInstance?: string };

export type CredentialPlace =
  | { in: 'bearer' }
  /** `{key}` stands for a field, or a value of the config; with one secret, `{secret}` is it. */
  | { in: 'headers'; headers: Readonly<Record<string, string>> }
  | { in: 'query'; parameters: Readonly<Record<string, string>> }
  | { in: 'basic'; user: string; password: string }
  | { in: 'cookie' };

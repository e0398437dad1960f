// Declares how an integration is connected and called. Tools, the connect flow and the proxy all read this data.
export interface OAuth2Block {
  type: 'oauth2';
  /** `{instance}` is replaced by the connection's instance, and `{tenant}` by the setting that `tenant` names. */
  authorizeUrl: string;
  tokenUrl: string;
  /** The operator's setting that says who may sign in. A client that is registered for one company works only there. */
  tenant?: 'MICROSOFT_TENANT';
  /** The address that refreshes tokens, when it is not tokenUrl. */
  refreshUrl?: string;
  scopes: readonly string[];
  scopeSeparator?: string;
  /** The name of the scope parameter: Slack asks for a person's own scopes as `user_scope`. */
  scopeParameter?: string;
  /** The provider's page where an administrator registers a client. `{instance}` is replaced by the instance. */
  registerUrl?: string;
  /** What to choose on that page, in short sentences. */
  registerHelp?: string;
  /** The way that the client authenticates at the token endpoint. */
  clientAuth: 'basic' | 'post' | 'none';
  tokenBody?: 'form' | 'json';
  authorizeParameters?: Readonly<Record<string, string>>;
  /** Set when the provider wants the redirect URI again at each refresh. */
  refreshWithRedirectUri?: boolean;
  /** A JSON Pointer to the object with the tokens, when that is not the root. */
  tokenPath?: string;
  /** A JSON Pointer to the name of the account in the token response. The person sees it before they confirm. */
  accountPath?: string;
  /**
   * For a provider whose token response says where the API of the account is. `at` is the JSON Pointer to that address, and
   * its host has to be one of `below` or below one of them. The connection's config keeps the host as `apiHost`.
   */
  apiHost?: { at: string; below: readonly string[] };
  /** A request sent once after connecting. The connection's config keeps what the JSON Pointers find. */
  postConnect?: PostConnect;
  /** The provider whose integrations one client can serve. decision: 065 */
  family?: Family;
  /** Set for an import: the provider is found when somebody connects, in place of the addresses above. decision: 045 */
  dynamic?: DynamicSignIn;
}

/** All members of a family sign people in at the same addresses. `name` is part of the family's redirect address. */
export interface Family {
  name: string;
  displayName: string;
}

/** Where the provider of an import is found, and the client that the importer has there. */
export interface DynamicSignIn {
  /** The address of the MCP server, which says who its provider is. */
  address: string;
  /** The importer's own client. Otherwise the gateway introduces itself. */
  client?: { clientId: string; clientSecret?: string };
  /** Given by an OpenAPI description. Then nobody is asked. */
  endpoints?: { authorizeUrl: string; tokenUrl: string };
}

export interface PostConnect {
  url: string;
  /** The pointers start at the first matching item of a response that is a list. */
  item?: {
    /** `at` is a JSON Pointer to a list of grants, which must contain `holds`. */
    grants: { at: string; holds: string };
    /** A JSON Pointer to the item's address. It must equal the instance that the person named, if any. */
    instance: string;
  };
  /** A JSON Pointer for each name in the config. Each must find a text. */
  pick: Readonly<Record<string, string>>;
  /** A JSON Pointer to the name of the account. The person sees it before they confirm. */
  account?: string;
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
  /** Set where the fields are those of an OAuth client, `client_id` and `client_secret`. Calls carry the token that it gets. */
  exchange?: ClientExchange;
}

/** Where an OAuth client gets a token for itself. RFC 6749 §4.4 */
export interface ClientExchange {
  tokenUrl: string;
  scopes: readonly string[];
}

export interface CookieBlock {
  type: 'cookie';
  /** `{instance}` is replaced by the connection's instance. */
  loginUrl: string;
  /** The default is the host of the log-in address. */
  cookieDomains?: readonly string[];
}

export type Auth = { type: 'none' } | OAuth2Block | ApiKeyBlock | CookieBlock;

/** Describes the address of a person's own instance of the product. */
export interface InstanceBlock {
  required: boolean;
  default?: string;
  example: string;
  /** Allows an instance below a path, such as https://example.com/wiki. */
  path?: boolean;
}

/** Describes where the API is and how a call carries the credential. */
export interface ApiBlock {
  base: ApiBase;
  /** Other addresses of the same API, such as for uploads, by the name that a call uses for them. */
  others?: Readonly<Record<string, string>>;
  credential: CredentialPlace;
  headers?: Readonly<Record<string, string>>;
  refusal?: Refusal;
  /** Set for an API that runs a request once for each key of its caller. A call without a key of its own sends none. */
  idempotency?: {
    header: string;
    /** The requests that take one, such as `POST /emails`. Absent where every POST does. */
    requests?: readonly string[];
  };
  /**
   * Set where the name of a call decides what it does, and not its method: every raw request then counts as `destroy`. With
   * `except GET` a GET only reads, and every other request can delete.
   */
  methodsMeanNothing?: true | 'except GET';
}

/** Describes an API that refuses with a 200: the JSON Pointer `at` finds the value `is`, and `code` finds a code. */
export interface Refusal {
  at: string;
  is: unknown;
  code: string;
  /** The codes that mean an invalid token. The gateway then refreshes it, as after a 401. */
  unauthorized: readonly string[];
}

export type ApiBase =
  /** `{key}` is replaced by a value of the connection's config. */
  | string
  /** A path below the instance. `at` maps instances whose API is elsewhere; `*` matches one label of the host. */
  | { instancePath: string; at?: Readonly<Record<string, string>> }
  /** Chosen by a value of the connection's config. `orInstance` is the path at a person's own instance. */
  | { by: string; bases: Readonly<Record<string, string>>; otherwise?: string; orInstance?: string };

export type CredentialPlace =
  | { in: 'bearer' }
  /** `{key}` is replaced by a field or a config value. With only one secret, `{secret}` is replaced by it. */
  | { in: 'headers'; headers: Readonly<Record<string, string>> }
  | { in: 'query'; parameters: Readonly<Record<string, string>> }
  | { in: 'basic'; user: string; password: string }
  /** Several at once, for an API that wants more than one. */
  | { in: 'all'; places: readonly CredentialPlace[] }
  | { in: 'cookie' }
  /** Chosen by a value of the connection's config, as the base is. */
  | { in: 'chosen'; by: string; places: Readonly<Record<string, CredentialPlace>> };

/** A second way to connect an OAuth integration: a token that the person makes at the provider. */
export interface TokenWay {
  /** One secret at least. A field that is not secret goes into the connection's config. */
  fields: readonly ApiKeyField[];
  /** The way that a call carries such a token, which may differ from `api.credential`. */
  credential: CredentialPlace;
  /** The address of the API for such a token, when that is not `api.base`. */
  base?: ApiBase;
  /** The provider's page that makes such a token. `{instance}` is replaced by the instance. */
  url: string;
  /** What to choose on that page, in short sentences. */
  help: string;
  /** The permissions to tick on that page, in the provider's words. */
  scopes?: readonly string[];
  /** The provider's page where a person removes such a token, when that is not `url`. `{instance}` is replaced. */
  removeAt?: string;
}

/** A cheap read that proves a credential and names its account. */
export interface Probe {
  /** The method and the path below the API's base, such as `GET /user`. It may have a query. */
  request: string;
  /** The name of an entry of `api.others`, to use instead of the base. */
  at?: string;
  headers?: Readonly<Record<string, string>>;
  /** A text of JSON, for an API that takes its reads by POST. */
  body?: string;
  /** The JSON Pointer of the id of the account, which never changes. Absent when no account belongs to a key. */
  id?: string;
  /** The JSON Pointer of a name that the person recognizes. */
  label?: string;
  /** The id that the API answers to somebody who is not signed in, when it answers that with a success. */
  anonymous?: string | number;
  /** The statuses that refuse the credential, beside 401. */
  refused?: readonly number[];
}

/** How a grant ends at the provider. */
export interface Revoke {
  /** The provider's page where a person removes the grant or the token. `{instance}` is replaced by the instance. */
  at: string;
  /** Absent when the provider offers no request for it. It ends grants of an OAuth sign-in only. */
  request?: {
    method: 'POST' | 'DELETE' | 'GET';
    /** `{instance}`, `{client_id}` and `{api}`, the base of the API that the connection calls, are replaced. */
    url: string;
    /** The credential of the request itself. */
    auth: 'client' | 'token' | 'none';
    /** `{token}` is replaced by the refresh token, or the access token without one; `{access_token}`, `{client_id}` and `{client_secret}` by these. */
    body?: { type: 'form' | 'json'; fields: Readonly<Record<string, string>> };
    headers?: Readonly<Record<string, string>>;
    /** The statuses that say that the grant is gone already. */
    gone?: readonly number[];
  };
}

// Declares how a service signs its webhooks and how one is made there. It is data of the manifest. reference: Event subscriptions

/** A header, or a JSON Pointer into the body. */
export type HookPlace = { header: string } | { at: string };

export interface HookSignature {
  kind: 'hmac';
  header: string;
  hash?: 'SHA-1';
  encoding: 'hex' | 'base64';
  /** What stands before the signature. */
  prefix?: string;
  /** Set where the header is a list. `name` is what stands before each signature, `time` before the time. */
  list?: { separator: string; assign: string; name: string; time?: string };
  /** The signed text. `{body}`, `{time}`, `{id}`, `{method}` and `{url}` are replaced. The default is the body. */
  signed?: string;
  /** When it was sent. A delivery that is older than five minutes is refused. The place has to be signed. */
  time?: { in?: HookPlace; unit: 's' | 'ms' };
  /** `whsec`: the secret is `whsec_` and base64. Otherwise its UTF-8 bytes are the key. */
  secretForm?: 'whsec';
}

export interface HookToken {
  kind: 'token';
  header: string;
}

export interface HookRecipe {
  /** What people subscribe to most, with what each means. Any other name of the service works too, and `*` takes all. */
  events: Readonly<Record<string, string>>;
  check: HookSignature | HookToken;
  /** Where the service names a delivery, the best place first. Without one the body names it. */
  id?: readonly HookPlace[];
  /** Where the name of the event is. Several parts are joined by dots. */
  type: readonly HookPlace[];
  /** The body is a list of events. */
  isList?: true;
  /** Says who makes the secret. `theirs` is copied from the service. */
  secret: 'ours' | 'theirs';
  /** How the service asks whether the address is real. */
  handshake?: 'challenge' | 'get-challenge' | 'hook-secret';
  /** What a person does there, in short sentences. */
  setUp: string;
  registration?: HookRegistration;
}

/** Texts may have `{url}`, `{secret}`, `{event}` and the names of `args`. A list with only `{event}` takes all events. */
export interface HookRegistration {
  /** What has to be named beside the event, with what it means. */
  args: Readonly<Record<string, string>>;
  add: HookRequest;
  /** Whether `*` means all events there. Otherwise the gateway names the events of the recipe. */
  takesAll?: true;
  /** A connection that has this member of its configuration cannot make webhooks. */
  unless?: { config: string; why: string };
  /** A JSON Pointer to its id in the answer. The last segment counts where that is an address. */
  id: string;
  /** A JSON Pointer to the secret in the answer, where the service makes it. */
  secret?: string;
  /** `{id}` is replaced as well. */
  remove: HookRequest;
}

export interface HookRequest {
  method: 'POST' | 'DELETE';
  path: string;
  type?: 'json' | 'form';
  body?: Readonly<Record<string, unknown>>;
  /** Members of the body that are true for an event. */
  flags?: Readonly<Record<string, string>>;
}

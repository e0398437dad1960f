// Types of what the tests use from oidc-provider, which ships none.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Account {
    accountId: string;
    claims(use: 'id_token' | 'userinfo'): Record<string, unknown>;
  }

  export interface FoundToken {
    accountId: string;
    clientId: string;
    scope?: string;
    exp: number;
    aud?: string | string[];
  }

  export interface InteractionPolicy {
    add(prompt: object, at: number): void;
  }

  export const interactionPolicy: {
    base(): InteractionPolicy;
    Prompt: new (about: { name: string; requestable: boolean }) => object;
  };

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    AccessToken: { find(token: string): Promise<FoundToken | undefined> };
    ClientCredentials: { find(token: string): Promise<FoundToken | undefined> };
    Client: { find(id: string): Promise<object | undefined> };
    Grant: new (about: object) => {
      addOIDCScope(scope: string): void;
      addResourceScope(resource: string, scope: string): void;
      save(): Promise<string>;
    };
    RefreshToken: new (about: object) => { save(): Promise<string> };
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string } }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}

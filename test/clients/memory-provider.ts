// Stores an MCP client's authorization in memory, and hands the address to open to the test.
export interface Kept {
  client?: { client_id: string };
  tokens?: { access_token: string; token_type: string; refresh_token?: string };
  verifier: string;
  /** The address that the person has to open. */
  opened: URL[];
}

export const REDIRECT = 'http://localhost:4567/app/callback';

/** Fits both generations of the SDK. */
export function createMemoryProvider(kept: Kept) {
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'SDK', redirect_uris: [REDIRECT] },
    clientInformation: () => kept.client,
    saveClientInformation(client: { client_id: string }) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: NonNullable<Kept['tokens']>) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(url: URL) {
      kept.opened.push(url);
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
      if (what === 'all' || what === 'client') delete kept.client;
      if (what === 'all' || what === 'tokens') delete kept.tokens;
    },
  };
}

// Sends one request to an address that the core has checked. It never follows redirects.
export interface UpstreamRequest {
  method: string;
  url: URL;
  /** The checked address. The driver connects to no other address. */
  address: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;
  signal: AbortSignal;
}

export interface UpstreamResponse {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

export interface Network {
  /** Returns every current address of a name, or an empty list. It answers synchronously when they are cached. */
  resolve(hostname: string): string[] | Promise<string[]>;
  /** Throws NotSent when it is sure that the upstream has got nothing of the request. */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}

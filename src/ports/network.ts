// One upstream request, to an address the core has vetted. Redirects are never followed here.
export interface UpstreamRequest {
  method: string;
  url: URL;
  /** The vetted address; the driver connects to it and nowhere else. */
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
  /** Every address a name has now; an empty list when it has none. At once where that is known. */
  resolve(hostname: string): string[] | Promise<string[]>;
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}

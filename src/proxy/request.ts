// Declares what the proxy decides by: the head of a raw request.
import type { Span } from '../ports/telemetry.ts';
import type { ProxyPath } from './path.ts';

export interface ProxyRequest {
  method: string;
  path: ProxyPath;
  authorization: string | undefined;
  /** Whether the body may be a form. */
  hasForm: boolean;
  /** The span of the request, once its token was checked. Absent where nothing is traced. */
  admit?: (() => Span) | undefined;
}

// Records what a request does, as spans of a trace. Names and attributes are fixed words, route patterns, numbers and names
// of built-in tools, never text from a caller. decision: 014
import type { Metrics } from './metrics.ts';

export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** The `tracestate` of the caller. It is passed on, and never recorded. */
  readonly state?: string | undefined;
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'server' | 'client';

export interface SpanStart {
  name: string;
  kind: SpanKind;
  attributes?: Attributes;
  /** Without a parent, a span begins a trace. */
  parent?: TraceContext | undefined;
  /** Another span that this one belongs to, without being its child. */
  link?: TraceContext | undefined;
  /** For a span that began earlier: the milliseconds since then. */
  ago?: number;
}

export interface SpanEnd {
  /** Replaces the name that the span began with. */
  name?: string;
  attributes?: Attributes;
  /** One of a few words for what went wrong. Absent for a success. */
  error?: string | undefined;
}

export interface Tracer {
  start(start: SpanStart): Span;
}

/** What is started on a span is its child, unless another parent is named. */
export interface Span extends Tracer {
  readonly context: TraceContext;
  /** Only the first end counts. */
  end(end?: SpanEnd): void;
}

/** What an adapter opens when the operator names a collector. */
export interface Telemetry {
  /** Null where no traces are exported. */
  tracer: Tracer | null;
  /** Null where no metrics are exported. */
  counts: Counts | null;
  /** Sends what is waiting. It never rejects. */
  flush(): Promise<void>;
  /** Sends what is waiting, within a few seconds. It never rejects. */
  close(): Promise<void>;
}

/** What is counted, without a way to read it. */
export type Counts = Pick<Metrics, 'request' | 'execution' | 'audit'>;

// Declares what the gateway tells a person outside the portal. Features publish notices, and one that listens says so in its value. decision: 062

/** The kinds that a person switches for each channel. */
export const NOTICE_KINDS = ['approval', 'connection', 'import', 'key', 'destination'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A notice leads to a page. It decides nothing, and has no arguments and no secrets. */
export interface Notice {
  /** An invitation goes to the address of the person by mail only. */
  kind: NoticeKind | 'invitation';
  userId: string;
  /** Names what the notice is about, so that one which waits can be dropped. */
  about: string;
  /** Tells it from an earlier notice about the same thing. A channel is told once about each. */
  instance?: string;
  /** The path of a page of the portal. */
  page: string;
  /** What people call the thing. Others may have chosen it. */
  name: string;
  /** What people call the one who caused it. */
  by?: string | null;
  /** When nobody needs the notice any more, in Unix seconds. */
  until?: number;
}

/** Resolves when the notice is stored, and never rejects. It costs one read while the person has no channel. */
export type Notify = (notice: Notice) => Promise<void>;

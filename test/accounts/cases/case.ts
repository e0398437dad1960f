// One row of the table of ambiguous cases.

/** What a case has opened. It is closed after the case. */
export interface Opened {
  close(): Promise<unknown>;
}

export type Until = <T extends Opened>(stand: T) => T;

/** The first three members are the cells of the row in docs/reference/records.md. */
export interface Case {
  situation: string;
  door: string;
  outcome: string;
  run(until: Until): Promise<void>;
}

/** Counts that the processes of one gateway share. */
export interface SharedCounts {
  /** Tells the other processes, soon, that a count of this list has changed. */
  tell(list: string, key: string, change: number): void;
  /** Sets what takes the changes of the other processes. */
  hear(list: string, add: (key: string, change: number) => void): void;
}

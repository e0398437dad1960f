// Declares how calls that wait are stored for their clients. Times are Unix seconds. reference: Tasks

/** One batch of calls that a client polls for. */
export interface TaskRecord {
  id: string;
  user_id: string;
  /** The id of the actor. */
  caller: string;
  /** Names the request and its questions: the same request has one task. */
  slot: string;
  /** Changes with every write of the calls. */
  version: string;
  state: 'open' | 'ended';
  /** The process that holds the task is lost when this time has passed. Null while no process holds it. */
  running_until: number | null;
  /** Set once its client no longer wants it. */
  cancelled_at: number | null;
  /** The keys of the questions that the client has answered, as JSON. */
  answered: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
  /** The calls and what they have ended as, sealed. */
  sealed: string;
}

/** How many tasks of a caller are kept, and how large they may be together. */
export interface MostTasks {
  tasks: number;
  characters: number;
}

/** What a process writes that holds a task. */
export type TaskWrite = Pick<TaskRecord, 'version' | 'sealed' | 'updated_at'>;

export interface Tasks {
  /**
   * Stores a task and the approvals that it waits for, and deletes the oldest of the caller beyond `most`. Returns false when the
   * slot is in use, or the person is gone.
   */
  add(task: TaskRecord, approvals: readonly string[], most: MostTasks): Promise<boolean>;
  bySlot(userId: string, slot: string): Promise<TaskRecord | null>;
  get(userId: string, id: string): Promise<TaskRecord | null>;
  /** Lists the person's tasks, the newest first. */
  list(userId: string, limit: number): Promise<TaskRecord[]>;
  /** Lists the open tasks that wait for the approval. */
  ofApproval(userId: string, approval: string): Promise<TaskRecord[]>;
  /**
   * Takes an open task that nobody has cancelled, while it still has the version of `seen`. Exactly one of any number of parallel
   * calls with the same `seen` returns true.
   */
  claim(
    seen: Pick<TaskRecord, 'id' | 'version'>,
    next: TaskWrite & Pick<TaskRecord, 'running_until'>,
  ): Promise<boolean>;
  /** Keeps a claimed task until a later time, while it has this version. */
  keep(seen: Pick<TaskRecord, 'id' | 'version'>, until: number): Promise<void>;
  /**
   * Gives a claimed task back while it has the version of `seen`. It no longer waits for the approvals of `ended`, and waits for those
   * of `begun`.
   */
  release(
    seen: Pick<TaskRecord, 'id' | 'version' | 'user_id' | 'expires_at'>,
    next: TaskWrite & Pick<TaskRecord, 'state'>,
    change: { ended?: readonly string[]; begun?: readonly string[] },
  ): Promise<boolean>;
  /** Notes that the client no longer wants the open task. */
  cancel(userId: string, id: string, now: number): Promise<void>;
  /** Replaces the answered keys while they still are those of `seen`. */
  answer(seen: Pick<TaskRecord, 'id' | 'answered'>, answered: string): Promise<boolean>;
  /** Lists open tasks that no process holds and of which something can be done. */
  due(now: number, limit: number): Promise<TaskRecord[]>;
  /** Lists those of all people, ordered by id. */
  page(after: string | null, limit: number): Promise<TaskRecord[]>;
  /** Replaces the sealed text only while it still is `seen`. Returns false otherwise. */
  swapSealed(id: string, seen: string, next: string): Promise<boolean>;
}

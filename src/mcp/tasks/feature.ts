// Calls that wait for a person and are polled for. reference: Tasks; decision: 055
import type { Feature, Round } from '../../kit/feature.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TaskRecord } from '../../ports/tasks.ts';
import { createConnectionWait } from '../meta-tools/wait-for-connection.ts';
import { TASKS_PER_CALLER } from './limits.ts';
import { createRunTasks, type RunTasks } from './run-tasks.ts';
import { sealedTasks } from './sealed-tasks.ts';
import { createCallTasks } from './tasks.ts';

type Stored = Pick<Ports, 'store'>;

/** The tasks of a person that an export lists at most. */
const EXPORTED = 5 * TASKS_PER_CALLER;

export const tasksFeature = {
  name: 'tasks',
  parts: {
    callTasks: createCallTasks,
    connectionWait: createConnectionWait,
    runTasks: createRunTasks,
  },
  chores: ({ runTasks }: { runTasks: RunTasks }, _: Round) => ({ tasks: () => runTasks.takeUp() }),
  sealed: [sealedTasks],
  personal: {
    export:
      ({ store }: Stored) =>
      ({ id }) => ({ tasks: async () => (await store.tasks.list(id, EXPORTED)).map(describeTask) }),
  },
  approvalDecided:
    ({ runTasks, store }: Stored & { runTasks: RunTasks }) =>
    ({ userId, approval }) =>
      void runTasks.startAll(() => store.tasks.ofApproval(userId, approval)),
} satisfies Feature;

/** The calls and their results are sealed and stay out. */
function describeTask({ id, caller, state, created_at, updated_at, cancelled_at, expires_at }: TaskRecord) {
  return { id, caller, state, created_at, updated_at, cancelled_at, expires_at };
}

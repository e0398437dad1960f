// Lists words that people use for Google Tasks and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'google todo',
  tools: {
    gtasks_list_tasks: 'show: todo open due my',
    gtasks_create_task: 'add: todo reminder subtask',
    gtasks_complete_task: 'finish check tick close: todo done',
    gtasks_update_task: 'edit postpone: todo due',
    gtasks_list_lists: 'show: todo lists',
  },
};

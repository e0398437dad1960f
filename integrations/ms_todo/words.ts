// Lists words that people use for Microsoft To Do and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  spoken: 'microsoft 365 todo task',
  tools: {
    ms_todo_create_task: 'add remind: todo reminder due',
    ms_todo_list_tasks: 'todo open due',
    ms_todo_complete_task: 'done finish tick check off: todo',
  },
};

// Lists words that people use for Cal.com and its tools, and that their texts lack.
import type { Words } from '../../src/kit/words.ts';

export const words: Words = {
  tools: {
    cal_com_list_slots: 'availability available free appointment when',
    cal_com_list_bookings: 'find: appointments meetings upcoming my',
    cal_com_create_booking: 'schedule appointment meeting reserve',
    cal_com_reschedule_booking: 'postpone change appointment meeting',
    cal_com_cancel_booking: 'delete appointment meeting',
    cal_com_list_schedules: 'working hours availability',
  },
};

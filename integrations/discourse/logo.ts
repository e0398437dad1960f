// A mark of our own: two people talking.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e3eef7"/><path d="M9.5 21.5v-9a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H13z" fill="none" stroke="#1f4e79" stroke-width="2.4" stroke-linejoin="round"/><path d="M18 24.5v1a2 2 0 0 0 2 2h7.5l3 3v-9" fill="none" stroke="#1f4e79" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"/></svg>';

// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f7e4e2"/><path d="M20 9.5l9 3.4v6.3c0 5.6-3.7 9.4-9 11.3-5.3-1.9-9-5.7-9-11.3v-6.3Z" fill="none" stroke="#8a2b22" stroke-width="2.4" stroke-linejoin="round"/><path d="M16 20l3 3 5.2-5.6" fill="none" stroke="#8a2b22" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

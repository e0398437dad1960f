// A mark of our own: two streams that meet.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e2e9f7"/><g fill="none" stroke="#1d3f86" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="M12 11.5c0 7 8 6.5 8 14"/><path d="M28 11.5c0 7-8 6.5-8 14"/><path d="M16.5 24.5 20 28.5l3.5-4"/></g></svg>';

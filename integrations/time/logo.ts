// A mark of our own: a dial.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e7efe9"/><circle cx="20" cy="20" r="10.5" fill="none" stroke="#24553a" stroke-width="2.4"/><path d="M20 13.5V20l4.6 2.9" fill="none" stroke="#24553a" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

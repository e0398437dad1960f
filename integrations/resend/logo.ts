// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#ececea"/><rect x="9.5" y="13" width="21" height="15" rx="2.6" fill="none" stroke="#2b2a26" stroke-width="2.4"/><path d="M10.5 15l9.5 7 9.5-7" fill="none" stroke="#2b2a26" stroke-width="2.4" stroke-linejoin="round"/></svg>';

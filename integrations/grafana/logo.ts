// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#fbeadb"/><path d="M11 29V19M17 29V13M23 29V22M29 29V16" stroke="#9a4a0e" stroke-width="3" stroke-linecap="round"/></svg>';

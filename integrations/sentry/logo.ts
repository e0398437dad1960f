// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#efe7f6"/><path d="M20 10.5 30.5 29H9.5Z" fill="none" stroke="#51327a" stroke-width="2.4" stroke-linejoin="round"/><path d="M20 17.5v5.2M20 25.6v.3" stroke="#51327a" stroke-width="2.4" stroke-linecap="round"/></svg>';

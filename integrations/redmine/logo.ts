// A mark of our own: a list with a tick.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f8e4e1"/><path d="M10.5 14.5l2.6 2.6 4.4-5M20.5 15H30M10.5 26.5l2.6 2.6 4.4-5M20.5 27H30" fill="none" stroke="#8f2f24" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

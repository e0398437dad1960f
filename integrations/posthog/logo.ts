// A mark of our own: events that add up.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#fbeedd"/><path d="M10 30V10M10 30h20" fill="none" stroke="#7a4a12" stroke-width="2.4" stroke-linecap="round"/><path d="M15.5 25v-4M21 25v-8M26.5 25V13" stroke="#7a4a12" stroke-width="3" stroke-linecap="round"/></svg>';

// A mark of our own: pages that lie on each other.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e0eef2"/><path d="M15 13.5V10h15v17h-3.5" fill="none" stroke="#7fb0bf" stroke-width="2.4" stroke-linejoin="round"/><path d="M10 14h15v17H10z" fill="none" stroke="#145468" stroke-width="2.4" stroke-linejoin="round"/><path d="M14 20h7M14 25h5" stroke="#145468" stroke-width="2.4" stroke-linecap="round"/></svg>';

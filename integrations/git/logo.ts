// A mark of our own.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#b3411e" stroke-width="2"><circle cx="7" cy="5" r="2.5"/><circle cx="7" cy="19" r="2.5"/><circle cx="17" cy="9" r="2.5"/><path d="M7 7.5v9M17 11.5c0 4-10 2-10 5"/></svg>';

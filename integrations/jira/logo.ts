// A mark of our own: tickets that move across a board.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e5ecfb"/><path d="M10 11v18M20 11v18M30 11v18" stroke="#9db4e8" stroke-width="2" stroke-linecap="round"/><path d="M12.5 13.5h5v5h-5zM22.5 21.5h5v5h-5z" fill="none" stroke="#22458f" stroke-width="2.4" stroke-linejoin="round"/></svg>';

// Draws our own line icons: 20 units wide, in the colour of the text beside them.
const DRAWINGS = {
  overview: 'M3.5 16.5v-6M8 16.5v-13M12.5 16.5v-9M17 16.5v-4',
  integrations: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z',
  jots: 'M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4',
  globe:
    'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M3 10h14M10 3c2 2 2.9 4.4 2.9 7s-.9 5-2.9 7c-2-2-2.9-4.4-2.9-7S8 5 10 3',
  tools:
    'M12.5 3.6a4.3 4.3 0 0 0-4 5.7l-5 5a1.5 1.5 0 0 0 2.2 2.2l5-5a4.3 4.3 0 0 0 5.4-5.6l-2.5 2.5-2.2-.5-.5-2.2z',
  approvals: 'M4 2.5h12v15H4zM7 7.8l1.8 1.8L13 5.6M7 13.5h6',
  activity: 'M2.5 10.5h3l2.5-7 4 13 2.5-6h3',
  clients: 'M7.5 2.5v4M12.5 2.5v4M5 6.5h10v3a5 5 0 0 1-10 0zM10 14.5v3',
  agents: 'M4.5 7.5h11v8h-11zM10 7.5V4M8.2 4h3.6M7.8 11v1.2M12.2 11v1.2M2.5 10.5v2.5M17.5 10.5v2.5',
  people:
    'M8 3.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M2.5 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5M13 3.8a3 3 0 0 1 0 5.4M15 12.4c1.6.7 2.5 2 2.5 4.1',
  gateway: 'M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.5 6.5h.01M6.5 13.5h.01M10 6.5h3.5M10 13.5h3.5',
  person: 'M10 3.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M4.5 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13.2 13.2l3.6 3.6',
  copy: 'M7.5 7.5h9v9h-9zM12.5 4.5v-1h-9v9h1',
  add: 'M10 4v12M4 10h12',
  check: 'M4 10.5l4 4 8-9',
  back: 'M12 4.5L6.5 10l5.5 5.5',
  refresh: 'M16 10a6 6 0 1 1-1.8-4.3M16.2 3v3.3h-3.3',
  close: 'M5 5l10 10M15 5L5 15',
  leave: 'M8 3.5H4v13h4M12 6.5l3.5 3.5-3.5 3.5M15 10H8',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  outside: 'M11.5 3.5h5v5M16.5 3.5l-7.5 7.5M8.5 5H4v11h11v-4.5',
  upload: 'M10 12.5v-9M6 7.5l4-4 4 4M3.5 12.5v4h13v-4',
  download: 'M10 3.5v9M6 8.5l4 4 4-4M3.5 12.5v4h13v-4',
  up: 'M5 12.5l5-5 5 5',
  down: 'M5 7.5l5 5 5-5',
  run: 'M6.5 4.5v11l9-5.5z',
} as const;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

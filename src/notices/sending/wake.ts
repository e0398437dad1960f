// Says that something is due at a time. It returns at once.
export type Wake = (at: number) => void;

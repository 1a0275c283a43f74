/** Rows of one table. */
export const MAX_ROWS = 200_000;

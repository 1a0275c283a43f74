/** Rows of one table. */
export const ROWS_MAX = 200_000;

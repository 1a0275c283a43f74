/**
 * Reviews at most `most` rows of run data whose date has come, the oldest first: those whose execution exists lose the
 * date, the others are deleted. Nothing else is read.
 * @returns how many there were.
 */
export type ReviewRows = (now: Date, most: number) => Promise<number>;

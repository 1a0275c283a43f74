/** The smallest possible id of an execution accepted at this time: ids are UUIDs of version 7. */
export const idAt = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
};

/** Unix time in milliseconds that a UUID of version 7 contains; of any other id a number that is always the same. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) || 0;

/**
 * Input of a run: text, bytes that stay unchanged until the run has ended, or a function that fetches them when the run
 * starts, so that waiting runs hold no data. It returns undefined if they are not available.
 */
export type JobInput = string | Uint8Array | (() => Promise<Uint8Array | undefined>);

/** The bytes of an input; undefined if they are not available. */
export const bytesOf = async (input: JobInput): Promise<Uint8Array | undefined> => {
  if (typeof input === 'function') return input();
  return typeof input === 'string' ? Buffer.from(input) : input;
};

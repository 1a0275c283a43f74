/**
 * Input of a run: text; bytes, which nobody changes until the run has ended; or what fetches them once the run has its
 * turn, so that runs that wait hold no data. It gives undefined if they do not come.
 */
export type JobInput = string | Uint8Array | (() => Promise<Uint8Array | undefined>);

/** The bytes of an input; undefined if they do not come. */
export const bytesOf = async (input: JobInput): Promise<Uint8Array | undefined> => {
  if (typeof input === 'function') return input();
  return typeof input === 'string' ? Buffer.from(input) : input;
};

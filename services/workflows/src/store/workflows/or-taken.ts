import { isDuplicateKey, oneByOne, withStore } from '@weft/service-kit/mongo';

/**
 * Writes a value that a unique index allows only once, after concurrent writes of the same value.
 * @param value the value, with the name of its collection
 * @returns `taken` if another document has the value
 */
export const orTaken = async <Outcome, const Taken extends string>(
  value: string,
  taken: Taken,
  write: () => Promise<Outcome>,
): Promise<Outcome | Taken> => {
  try {
    return await oneByOne(value, () => withStore(write));
  } catch (error) {
    if (isDuplicateKey(error)) return taken;
    throw error;
  }
};

import { isDuplicateKey, oneByOne, withStore } from '@weft/service-kit/mongo';

/**
 * Writes what a unique index allows only once, after other writes with the same value.
 * @param value of the index, with the name of its collection
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

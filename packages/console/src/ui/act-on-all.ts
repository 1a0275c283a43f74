import { errorText } from './values/format';

/** Rows that may be selected at once. */
export const MAX_SELECTED = 100;

/** Requests of a bulk action in flight. */
const AT_ONCE = 5;

/** Acts on each, a few at a time. @returns the messages of those that failed */
export const actOnAll = async (
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<readonly string[]> => {
  const left = [...ids];
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift())
      try {
        await act(id);
      } catch (error) {
        failures.push(errorText(error));
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
};

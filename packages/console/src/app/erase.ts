import { queryClient } from '../api/queries';

/** Names of the databases in which this browser keeps work of the user. */
const DATABASES = ['weft-drafts'];

const eraseDatabase = (name: string): Promise<void> =>
  new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // A blocked deletion is carried out when the other tab closes its connection, which is within milliseconds.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });

/** Erases everything that this browser keeps of the user's work: responses and drafts. */
export const eraseWork = async (): Promise<void> => {
  queryClient.clear();
  sessionStorage.clear();
  await Promise.all(DATABASES.map(eraseDatabase));
};

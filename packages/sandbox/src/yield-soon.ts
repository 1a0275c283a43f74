/**
 * Has this process take short turns at a processor, so that whatever wakes up beside it does not wait. Loads what it
 * calls the kernel with only now: a process that does not need it is spared that. Never fails: where that cannot be
 * loaded, turns are as long as others'.
 */
export const yieldSoon = async (): Promise<void> => {
  if (process.platform !== 'linux') return;
  try {
    (await import('./seal/short-turns.js')).takeShortTurns();
  } catch {
    // Without koffi.
  }
};

/**
 * Gives this process short scheduling slices, so that waking processes do not wait for it. Loads the native library
 * lazily, because most processes do not need it. Never fails: without the library, slices keep their normal length.
 */
export const yieldSoon = async (): Promise<void> => {
  if (process.platform !== 'linux') return;
  try {
    (await import('../seal/short-slices.js')).takeShortSlices();
  } catch {
    // Without koffi.
  }
};

/** Waits for so many milliseconds, or until one of the signals fires. */
export const elapse = (ms: number, signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener('abort', done);
    if (signals.some((signal) => signal.aborted)) done();
  });

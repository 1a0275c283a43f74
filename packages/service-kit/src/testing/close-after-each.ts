/** Hands on what was opened, and closes it after the test. */
export type CloseLater = <Opened>(opened: Opened, close: (opened: Opened) => unknown) => Opened;

/**
 * For what a test opens in its body: closed after the test whether it passed or failed, the last opened first. A server
 * or socket that a failed test left open would keep jest from ending. To be called inside `describe`.
 */
export const closeAfterEach = (): CloseLater => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    const faults: unknown[] = [];
    // One that cannot be closed does not keep the others open.
    for (const close of closing.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'Some of what the test opened could not be closed.');
  });
  return (opened, close) => {
    closing.push(() => close(opened));
    return opened;
  };
};

/** Passes on a resource and closes it after the test. */
export type CloseLater = <Opened>(opened: Opened, close: (opened: Opened) => unknown) => Opened;

/**
 * Closes resources that a test opens after the test, whether it passed or failed, in reverse order. A server or socket
 * left open by a failed test would keep jest from exiting. Call it inside `describe`.
 */
export const closeAfterEach = (): CloseLater => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    const errors: unknown[] = [];
    // Close the others even if one fails.
    for (const close of closing.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some resources of the test could not be closed.');
  });
  return (opened, close) => {
    closing.push(() => close(opened));
    return opened;
  };
};

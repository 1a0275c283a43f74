/** Maximum bytes of a tunnelled request. Larger ones are separate calls, so that others do not wait behind them. */
export const MAX_TUNNELLED_BYTES = 64 * 1024;

/** Maximum bytes of a frame. */
const FRAME_BYTES = 256 * 1024;

/**
 * Groups items sent within one tick of the event loop into frames, because one message costs as much as many together.
 * An item that fills a frame is sent after the smaller ones, which then do not wait for it.
 * @param sizeOf bytes of an item
 * @param write sends a frame
 * @param onFlushed called after all frames of a tick
 */
export const createFrames = <Item>(
  sizeOf: (item: Item) => number,
  write: (items: Item[]) => void,
  onFlushed: () => void = () => undefined,
): ((item: Item) => void) => {
  let waiting: Item[] = [];
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    const large: Item[] = [];
    let frame: Item[] = [];
    let bytes = 0;
    for (const item of items) {
      const size = sizeOf(item);
      if (size >= FRAME_BYTES) {
        large.push(item);
        continue;
      }
      if (bytes + size > FRAME_BYTES) {
        write(frame);
        frame = [];
        bytes = 0;
      }
      frame.push(item);
      bytes += size;
    }
    if (frame.length > 0) write(frame);
    for (const item of large) write([item]);
    onFlushed();
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(flush);
  };
};

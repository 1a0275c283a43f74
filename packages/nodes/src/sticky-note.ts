import { type NodeExecutor, output } from '@weft/engine';

/** A note never runs; should a link lead to one, items pass by. */
export const stickyNote: NodeExecutor = {
  kind: 'stickyNote',
  actsOutside: false,
  run: (context) => output(context.items),
};

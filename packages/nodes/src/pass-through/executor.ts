import { type NodeExecutor, output } from '@weft/engine';

/** Passes every item on. */
export const noOp: NodeExecutor = {
  kind: 'noOp',
  actsOutside: false,
  run: (context) =>
    output(
      context.items.map(({ pairedItem: _origin, ...item }, index) => ({
        ...item,
        pairedItem: { item: index, ...inputOf(context.itemsInput) },
      })),
    ),
};

function inputOf(input: number): { input?: number } {
  return input === 0 ? {} : { input };
}

/** Outputs the data of the call that started the run, unchanged. */
export const manualTrigger: NodeExecutor = {
  kind: 'manualTrigger',
  actsOutside: false,
  run: (context) => output(context.items),
};

/** A note never runs; if a link leads to one, items pass through. */
export const stickyNote: NodeExecutor = {
  kind: 'stickyNote',
  actsOutside: false,
  run: (context) => output(context.items),
};

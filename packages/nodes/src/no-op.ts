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

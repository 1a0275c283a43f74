import { type NodeContext, type NodeExecutor, NodeFailure, type NodeResult, output } from '@weft/engine';
import { choiceParameter, numberParameter } from '../shared/read-parameter';

/** Passes every item on. */
export const noOp: NodeExecutor = {
  kind: 'noOp',
  actsOutside: false,
  run: (context) => passOn(context),
};

/** Passes every item on if the number of minutes is valid. */
export const timeSaved: NodeExecutor = {
  kind: 'timeSaved',
  actsOutside: false,
  run: (context) => {
    choiceParameter(context, 'mode', 0, ['once', 'perItem']);
    const minutes = numberParameter(context, 'minutesSaved', 0);
    if (minutes < 0) throw new NodeFailure(`Time saved cannot be negative, got: ${minutes}`);
    return passOn(context);
  },
};

function passOn({ items, itemsInput }: NodeContext): NodeResult {
  return output(
    items.map(({ pairedItem: _origin, ...item }, index) => ({
      ...item,
      pairedItem: { item: index, ...inputOf(itemsInput) },
    })),
  );
}

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

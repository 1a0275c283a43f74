import { type NodeExecutor, output } from '@weft/engine';

/** Gives the data of the call that started the run, as it came. */
export const manualTrigger: NodeExecutor = {
  kind: 'manualTrigger',
  actsOutside: false,
  run: (context) => output(context.items),
};

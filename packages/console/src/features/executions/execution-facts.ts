import type { Execution } from '@weft/client';

const CAUSES: Readonly<Record<Execution['mode'], string>> = {
  manual: 'by hand or API',
  trigger: 'schedule',
  webhook: 'webhook or form',
  integrated: 'another workflow',
  error: 'an error elsewhere',
  retry: 'retry',
};

/** Cause of an execution in words. */
export const causeOf = (mode: Execution['mode']): string => CAUSES[mode];

export const MODES = Object.keys(CAUSES).filter((mode): mode is Execution['mode'] => mode in CAUSES);

type WithData = Pick<Execution, 'data'>;

const filled = (text: string | null | undefined): string | undefined => (text === '' ? undefined : (text ?? undefined));

/** Says the item of a message as the pages number it: messages end with its index, from 0. */
export const withItemNumber = (message: string): string =>
  message.replace(/ \[item (\d{1,9})\]$/, (_, index: string) => ` (item ${Number(index) + 1})`);

/** Message of the error with which it ended. */
export const messageOf = ({ data }: WithData): string | undefined => {
  const message = filled(data.resultData?.error?.message);
  return message === undefined ? undefined : withItemNumber(message);
};

/** Reason of that error, such as NODE_ERROR. */
export const reasonOf = ({ data }: WithData): string | undefined => filled(data.resultData?.error?.reason);

/** The node that failed. */
export const failedNodeOf = ({ data }: WithData): string | undefined => filled(data.resultData?.error?.node?.name);

/** The node that ran last. */
export const lastNodeOf = ({ data }: WithData): string | undefined => filled(data.resultData?.lastNodeExecuted);

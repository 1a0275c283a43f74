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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of a value that may not be an object. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const resultOf = ({ data }: Pick<Execution, 'data'>): unknown => memberOf(data, 'resultData');
const errorOf = (execution: Pick<Execution, 'data'>): unknown => memberOf(resultOf(execution), 'error');

/** Message of the error with which it ended. */
export const messageOf = (execution: Pick<Execution, 'data'>): string | undefined =>
  textOf(memberOf(errorOf(execution), 'message'));

/** Reason of that error, such as NODE_ERROR. */
export const reasonOf = (execution: Pick<Execution, 'data'>): string | undefined =>
  textOf(memberOf(errorOf(execution), 'reason'));

/** The node that failed. */
export const failedNodeOf = (execution: Pick<Execution, 'data'>): string | undefined =>
  textOf(memberOf(memberOf(errorOf(execution), 'node'), 'name'));

/** The node that ran last. */
export const lastNodeOf = (execution: Pick<Execution, 'data'>): string | undefined =>
  textOf(memberOf(resultOf(execution), 'lastNodeExecuted'));

/** Duration in milliseconds; undefined until it ends. */
export const durationOf = ({
  startedAt,
  finishedAt,
}: Pick<Execution, 'startedAt' | 'finishedAt'>): number | undefined =>
  startedAt === null || finishedAt === null ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);

import { DateTime } from 'luxon';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { choiceParameter } from '../shared/read-parameter';
import { convertValue } from '../shared/values/convert-value';

/** The part of a node run that reading the end of a wait needs. */
export type WaitContext = Pick<NodeContext, 'parameter' | 'defaultOf' | 'timezone'> & {
  readonly ports: { readonly clock: Pick<NodeContext['ports']['clock'], 'now'> };
};

const UNITS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const UNIT_NAMES = ['seconds', 'minutes', 'hours', 'days'] as const;
const LIMIT_TYPES = ['afterTimeInterval', 'atSpecifiedTime'] as const;

/** Later ends are mistakes: wrong units, or milliseconds instead of seconds. */
const LATEST_YEARS = 100;
const LATEST_MS = LATEST_YEARS * 366 * UNITS.days;

/** The time in Unix milliseconds after an amount of a unit from now. @throws NodeFailure */
export function endAfter(context: WaitContext, amountPath: string, unitPath: string): number {
  const raw = context.parameter(amountPath, 0);
  const amount = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  if (typeof amount !== 'number' || Number.isNaN(amount) || amount < 0) {
    throw new NodeFailure('Invalid wait amount. Please enter a number that is 0 or greater.', {
      description: `The parameter "${amountPath}" is ${JSON.stringify(raw) ?? 'nothing'}.`,
    });
  }
  return checked(
    context,
    context.ports.clock.now() + amount * UNITS[choiceParameter(context, unitPath, 0, UNIT_NAMES, 'hours')],
  );
}

/** A moment in Unix milliseconds; without a zone it is in the workflow's zone. @throws NodeFailure */
export function endAt(context: WaitContext, path: string): number {
  const raw = context.parameter(path, 0);
  // A bare number is Unix milliseconds.
  const given = typeof raw === 'number' ? DateTime.fromMillis(raw) : raw;
  const date = convertValue('dateTime', given, { timezone: context.timezone });
  if (date.ok && DateTime.isDateTime(date.value) && date.value.isValid) return checked(context, date.value.toMillis());
  throw new NodeFailure('Invalid date and time to wait until. Use a value such as 2030-01-31T15:00:00.', {
    description: `The parameter "${path}" is ${JSON.stringify(raw) ?? 'nothing'}.`,
  });
}

/** The end that `limitType` and its parameters set. @param group path of these parameters */
export function endOfLimit(context: WaitContext, group?: string): number {
  const path = (name: string): string => (group === undefined ? name : `${group}.${name}`);
  return choiceParameter(context, path('limitType'), 0, LIMIT_TYPES, 'afterTimeInterval') === 'afterTimeInterval'
    ? endAfter(context, path('resumeAmount'), path('resumeUnit'))
    : endAt(context, path('maxDateAndTime'));
}

function checked(context: WaitContext, at: number): number {
  if (at - context.ports.clock.now() <= LATEST_MS) return at;
  throw new NodeFailure(`The wait would last longer than ${LATEST_YEARS} years. Check the amount and its unit.`);
}

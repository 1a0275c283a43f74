import { DateTime, Duration, Interval } from 'luxon';
import { isArray, isPlainObject } from '../runtime/kinds';

export { isArray, isPlainObject };

/** True for a string. */
export const isString = (value: unknown): value is string => typeof value === 'string';

/** True for a number, NaN included. */
export const isNumber = (value: unknown): value is number => typeof value === 'number';

/** True for true and false. */
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** True for a JavaScript date, an invalid one included. */
export const isDate = (value: unknown): value is Date => value instanceof Date;

/** True for a moment of luxon, an invalid one included. */
export const isDateTime = (value: unknown): value is DateTime => DateTime.isDateTime(value);

/** True for a duration of luxon. */
export const isDuration = (value: unknown): value is Duration => Duration.isDuration(value);

/** True for an interval of luxon. */
export const isInterval = (value: unknown): value is Interval => Interval.isInterval(value);

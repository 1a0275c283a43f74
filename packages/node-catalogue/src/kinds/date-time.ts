import type { Conditions, KindDescriptor, OptionDescriptor, ParameterDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const choices = (...values: readonly (readonly [value: string, label: string])[]): readonly OptionDescriptor[] => values.map(([value, label]) => ({ value, label }));
const plurals = choices(
  ['years', 'Years'], ['quarters', 'Quarters'], ['months', 'Months'], ['weeks', 'Weeks'], ['days', 'Days'], ['hours', 'Hours'], ['minutes', 'Minutes'],
  ['seconds', 'Seconds'], ['milliseconds', 'Milliseconds'],
);
const spans = choices(
  ['year', 'Year'], ['quarter', 'Quarter'], ['month', 'Month'], ['week', 'Week'], ['day', 'Day'], ['hour', 'Hour'], ['minute', 'Minute'], ['second', 'Second'],
  ['millisecond', 'Millisecond'],
);
const parts = choices(['year', 'Year'], ['month', 'Month'], ['week', 'Week'], ['day', 'Day'], ['hour', 'Hour'], ['minute', 'Minute'], ['second', 'Second']);

const field = (initial: string, ...operations: string[]): ParameterDescriptor => ({
  name: 'outputFieldName', label: 'Field for the result', type: 'string', default: initial, since: 2, shownWhen: { operation: operations },
});
const options = (operations: readonly string[], ...fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  name: 'options', label: 'Options', type: 'collection', default: {}, since: 2, shownWhen: { operation: [...operations] },
  fields: [{ name: 'includeInputFields', label: 'Keep the fields of the item', type: 'boolean', default: false }, ...fields],
});
const MOVES: Conditions = { operation: ['addToDate', 'subtractFromDate'] };
const CALCULATES: Conditions = { action: ['calculate'] };

const FIRST_VERSION: readonly ParameterDescriptor[] = [
  { name: 'action', label: 'Action', type: 'options', default: 'format', until: 1, options: choices(['format', 'Put in another format'], ['calculate', 'Add or subtract']) },
  { name: 'value', label: 'Date', type: 'string', default: '', until: 1 },
  { name: 'custom', label: 'Own format', type: 'boolean', default: false, until: 1 },
  { name: 'toFormat', label: 'Format', type: 'string', default: 'MM/DD/YYYY', until: 1, shownWhen: { action: ['format'] } },
  {
    name: 'operation', label: 'Operation', type: 'options', default: 'add', until: 1, shownWhen: CALCULATES, options: choices(['add', 'Add'], ['subtract', 'Subtract']),
  },
  { name: 'duration', label: 'Duration', type: 'number', default: 0, until: 1, shownWhen: CALCULATES },
  { name: 'timeUnit', label: 'Unit', type: 'options', default: 'days', until: 1, shownWhen: CALCULATES, options: plurals },
  { name: 'dataPropertyName', label: 'Field for the result', type: 'string', default: 'data', until: 1 },
  {
    name: 'options', label: 'Options', type: 'collection', default: {}, until: 1,
    fields: [
      { name: 'fromFormat', label: 'Format of the value', type: 'string', default: '' },
      { name: 'fromTimezone', label: 'Zone of the value', type: 'string', default: '' },
      { name: 'toTimezone', label: 'Zone of the result', type: 'string', default: '' },
    ],
  },
];

const HELP = {
  action: 'Put a date in another format, or add to it.',
  value: 'The date: a text, or seconds or milliseconds since 1970.',
  custom: 'Kept from the editor; it changes nothing.',
  toFormat: 'In the signs of moment.js, for example `YYYY-MM-DD`.',
  operation: 'What is done with the date.',
  duration: 'How many units are added or subtracted.',
  timeUnit: 'The unit of the duration.',
  dataPropertyName: 'The field of the item that gets the result.',
  options: 'Less common settings.',
  includeTime: 'Turned off, midnight of the day.',
  magnitude: 'The date to add to.',
  date: 'A text, a number of seconds or milliseconds, or a date of Luxon.',
  format: 'A ready format, or `custom`.',
  customFormat: 'In the signs of Luxon, for example `yyyy-MM-dd`.',
  mode: 'To the beginning of the unit, or to the beginning of the next one.',
  toNearest: 'The unit that is rounded down to.',
  to: 'The unit that is rounded up to.',
  startDate: 'The earlier date.',
  endDate: 'The later date.',
  units: 'The units that the time is told in.',
  part: 'What is taken out of the date.',
  outputFieldName: 'The field of the new item.',
  'options.includeInputFields': 'Without it the new item has the result alone.',
  'options.fromFormat': 'In the signs of the version: how the date is to be read.',
  'options.timezone': 'A zone such as `Europe/Berlin`; that of the workflow otherwise.',
} as const;

/** Formats dates, reckons with them and takes them apart. */
export const dateTime: KindDescriptor = {
  kind: 'dateTime',
  label: 'Date and time',
  description: 'Formats dates, adds to them, rounds them, compares them and takes parts out of them.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    ...FIRST_VERSION,
    {
      name: 'operation', label: 'Operation', type: 'options', default: 'getCurrentDate', since: 2,
      options: choices(
        ['addToDate', 'Add to a date'], ['extractDate', 'Take a part of a date'], ['formatDate', 'Format a date'], ['getCurrentDate', 'The current date'],
        ['getTimeBetweenDates', 'Time between dates'], ['roundDate', 'Round a date'], ['subtractFromDate', 'Subtract from a date'],
      ),
    },
    { name: 'includeTime', label: 'With the time', type: 'boolean', default: true, since: 2, shownWhen: { operation: ['getCurrentDate'] } },
    { name: 'magnitude', label: 'Date', type: 'string', default: '', since: 2, required: true, shownWhen: MOVES },
    { name: 'timeUnit', label: 'Unit', type: 'options', default: 'days', since: 2, shownWhen: MOVES, options: plurals },
    { name: 'duration', label: 'Duration', type: 'number', default: 0, since: 2, shownWhen: MOVES },
    { name: 'date', label: 'Date', type: 'string', default: '', since: 2, shownWhen: { operation: ['formatDate', 'roundDate', 'extractDate'] } },
    { name: 'format', label: 'Format', type: 'string', default: 'MM/dd/yyyy', since: 2, shownWhen: { operation: ['formatDate'] } },
    { name: 'customFormat', label: 'Own format', type: 'string', default: '', since: 2, shownWhen: { operation: ['formatDate'], format: ['custom'] } },
    {
      name: 'mode', label: 'Mode', type: 'options', default: 'roundDown', since: 2, shownWhen: { operation: ['roundDate'] },
      options: choices(['roundDown', 'Down'], ['roundUp', 'Up']),
    },
    { name: 'toNearest', label: 'To the nearest', type: 'options', default: 'month', since: 2, shownWhen: { operation: ['roundDate'], mode: ['roundDown'] }, options: spans },
    { name: 'to', label: 'To the end of the', type: 'options', default: 'month', since: 2, shownWhen: { operation: ['roundDate'], mode: ['roundUp'] }, options: spans },
    { name: 'startDate', label: 'From', type: 'string', default: '', since: 2, shownWhen: { operation: ['getTimeBetweenDates'] } },
    { name: 'endDate', label: 'To', type: 'string', default: '', since: 2, shownWhen: { operation: ['getTimeBetweenDates'] } },
    { name: 'units', label: 'Units', type: 'multiOptions', default: ['day'], since: 2, shownWhen: { operation: ['getTimeBetweenDates'] }, options: spans },
    { name: 'part', label: 'Part', type: 'options', default: 'month', since: 2, shownWhen: { operation: ['extractDate'] }, options: parts },
    field('currentDate', 'getCurrentDate'),
    field('newDate', 'addToDate', 'subtractFromDate'),
    field('formattedDate', 'formatDate'),
    field('roundedDate', 'roundDate'),
    field('timeDifference', 'getTimeBetweenDates'),
    field('datePart', 'extractDate'),
    options(['getCurrentDate'], { name: 'timezone', label: 'Zone', type: 'string', default: '' }),
    options(
      ['formatDate'], { name: 'fromFormat', label: 'Format of the date', type: 'string', default: '' },
      { name: 'timezone', label: 'In the zone of the workflow', type: 'boolean', default: false },
    ),
    options(['getTimeBetweenDates'], { name: 'isoString', label: 'As an ISO 8601 duration', type: 'boolean', default: false }),
    options(['addToDate', 'subtractFromDate', 'roundDate', 'extractDate']),
  ]),
};

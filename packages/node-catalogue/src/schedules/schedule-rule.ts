/**
 * When a schedule is due, with every default filled in. Closed: code that computes due times handles each kind.
 * `hour` is 0 to 23 and `minute` 0 to 59 of the clock in the schedule's zone; the second is 0 throughout. `everyDays`,
 * `everyWeeks`, `everyMonths` and `everyHours` with `every: n` above 1 count from the last due time: the next one is
 * the first matching clock time that lies n days, weeks, months or hours (by the calendar of the zone) after it. Before
 * the first due time, the first matching clock time counts.
 */
export type ScheduleRule =
  /** At every second of the minute that `every` divides: 0, n, 2n … `every` is 1 to 59. */
  | { readonly kind: 'everySeconds'; readonly every: number }
  /** At every minute of the hour that `every` divides. 1 to 59. */
  | { readonly kind: 'everyMinutes'; readonly every: number }
  /**
   * At `minute` of an hour, `every` (1 or more) hours apart. Where `every` divides 24, at the hours 0, n, 2n … of the
   * day.
   */
  | { readonly kind: 'everyHours'; readonly every: number; readonly minute: number }
  | { readonly kind: 'everyDays'; readonly every: number; readonly hour: number; readonly minute: number }
  /** `weekdays`: 0 is Sunday, ascending, at least one. Weeks begin on Sunday. */
  | {
      readonly kind: 'everyWeeks';
      readonly every: number;
      readonly weekdays: readonly number[];
      readonly hour: number;
      readonly minute: number;
    }
  /** `dayOfMonth`: 1 to 31. Months without that day are skipped. */
  | {
      readonly kind: 'everyMonths';
      readonly every: number;
      readonly dayOfMonth: number;
      readonly hour: number;
      readonly minute: number;
    }
  /** Five fields, or six with seconds in front. */
  | { readonly kind: 'cron'; readonly expression: string }
  /** Repeats every `seconds` seconds from activation. No clock time. */
  | { readonly kind: 'fixedDelay'; readonly seconds: number };

/** One schedule of a workflow. */
export interface Schedule {
  /** Name of the trigger node. A node with several rules has several schedules. */
  readonly node: string;
  /** Index of the rule in the node, from 0. */
  readonly index: number;
  readonly rule: ScheduleRule;
  /** IANA zone. Absent: the zone of the instance. */
  readonly timezone?: string;
}

/** A rule, or the reason why the parameters give no rule. */
export type RuleReading =
  { readonly kind: 'rule'; readonly rule: ScheduleRule } | { readonly kind: 'error'; readonly message: string };

import { CronExpressionParser } from 'cron-parser';

/**
 * Schedules that were activated by 0.1.0 or earlier may still contain `H`, which the parser would draw again each time.
 * Later activations store plain fields.
 */
const seedOf = (expression: string) => ({ hashSeed: expression });

/**
 * The first time after `after` that matches a cron expression, on a clock without changes; undefined if there is none.
 */
export const nextCronTime = (expression: string, after: number): number | undefined => {
  try {
    return CronExpressionParser.parse(expression, { currentDate: new Date(after), tz: 'UTC', ...seedOf(expression) })
      .next()
      .getTime();
  } catch {
    // The parser throws for days that do not exist (30 February); activation refuses invalid expressions.
    return undefined;
  }
};

/** True if a cron expression matches in every hour of its days. */
export const fitsEveryHour = (expression: string): boolean => {
  try {
    return CronExpressionParser.parse(expression, seedOf(expression)).fields.hour.values.length === 24;
  } catch {
    return false;
  }
};

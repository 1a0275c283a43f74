import type { Figure } from '../loads/load';
import type { Spread } from '../statistics';

/** A rate, rounded; below 100 with one decimal. */
export const rate = (perSecond: number): string =>
  `${perSecond.toLocaleString('en', { maximumFractionDigits: perSecond < 100 ? 1 : 0 })}/s`;

/** Milliseconds: tenths, hundredths below 10. */
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** A value with its unit. */
export const valueText = (value: number, unit: Figure['unit']): string => {
  switch (unit) {
    case '/s':
      return rate(value);
    case 'ms':
      return ms(value);
    case 'MiB':
      return `${value.toFixed(0)} MiB`;
    case 'times':
      return value.toFixed(2);
  }
};

/** A ratio with its bounds over the rounds; the bounds are left out where there was one round. */
export const ratioText = ({ median, min, max }: Spread): string =>
  min === max ? median.toFixed(2) : `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;

/** A median with its bounds over the rounds; the bounds are left out where there was one round. */
export const spreadText = ({ median, min, max }: Spread, unit: Figure['unit']): string =>
  min === max
    ? valueText(median, unit)
    : `${valueText(median, unit)} (${valueText(min, unit)} to ${valueText(max, unit)})`;

/** A ceiling with the share that was reached. */
export const ofCeiling = (reached: number, ceiling: number, what: string): string =>
  `${rate(ceiling)} ${what} (${Math.round((100 * reached) / ceiling)} %)`;

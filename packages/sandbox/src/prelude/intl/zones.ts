import { IANAZone } from 'luxon';
import { define } from '../define';
import { askHost } from '../host';

/** Within a quarter of an hour that begins on the quarter, no zone of the present changes its offset. */
const QUARTER_MS = 15 * 60_000;
/** Maximum number of cached offsets. */
const MAX_OFFSETS = 5_000;

/**
 * Makes luxon ask the host for the offsets of zones: one question a quarter of an hour of the calendar, instead of
 * parts of dates as text.
 */
export function installZones(): void {
  const offsets = new Map<string, number>();
  define(IANAZone.prototype, 'offset', function (this: IANAZone, at: number): number {
    if (!this.isValid || Number.isNaN(at)) return NaN;
    const key = `${this.name} ${Math.floor(at / QUARTER_MS)}`;
    const known = offsets.get(key);
    if (known !== undefined) return known;
    const offset = Number(askHost('zoneOffset', { zone: this.name, at }));
    if (offsets.size < MAX_OFFSETS) offsets.set(key, offset);
    return offset;
  });
}

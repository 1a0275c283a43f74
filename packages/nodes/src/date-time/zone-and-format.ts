import { IANAZone } from 'luxon';
import { NodeFailure } from '@weft/engine';

const MAX_FORMAT_LENGTH = 200;

/** Returns the zone if it exists. @throws NodeFailure otherwise */
export function checkedZone(zone: string, itemIndex: number): string {
  if (zone.length < 100 && (zone === 'UTC' || IANAZone.isValidZone(zone))) return zone;
  throw new NodeFailure(`Unknown timezone "${zone.slice(0, 100)}". Use a name such as "Europe/Berlin".`, {
    itemIndex,
  });
}

/** Returns the format if its length is reasonable. @throws NodeFailure otherwise */
export function checkedFormat(format: string, itemIndex: number): string {
  if (format.length <= MAX_FORMAT_LENGTH) return format;
  throw new NodeFailure(`The date format is longer than ${MAX_FORMAT_LENGTH} characters.`, { itemIndex });
}

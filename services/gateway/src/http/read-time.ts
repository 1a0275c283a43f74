import type { FieldReader } from './body-fields';

/** RFC 3339, with a zone: what else Date would read means something else in each zone. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A field that holds an instant; undefined if it is missing, or has a fault. */
export const readTime = (fields: FieldReader, name: string): Date | undefined => {
  const text = fields.string(name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (TIME.test(text) && !Number.isNaN(time.getTime())) return time;
  fields.fault(name, 'must be a time with a zone, such as 2026-01-31T12:00:00Z.');
  return undefined;
};

/** JSON text of a string. */
export const quote = (text: string): string => JSON.stringify(text);

/** An object's JSON text, or `{}` if the field is empty. */
export const objectText = (json: string): string => (json === '' ? '{}' : json);

/**
 * The members of an object's JSON text, each after a comma, to append to another object. Nothing is parsed, because the
 * storing service has checked the text.
 */
export const furtherMembers = (json: string): string => {
  const inner = json.trim().slice(1, -1).trim();
  return inner === '' ? '' : `,${inner}`;
};

/** ISO 8601 in UTC with milliseconds, as JSON text; `null` if there is no time. */
export const timeText = (time: Date | undefined): string => (time === undefined ? 'null' : `"${time.toISOString()}"`);

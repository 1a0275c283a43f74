/** Controls of terminals, and marks that change the direction of text. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text without characters that move the cursor, change colours or reorder what a person reads. */
export const plainText = (text: string): string => text.replace(HIDDEN, '');

/** JSON with these characters escaped; they occur in strings only. */
export const plainJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value ?? null, undefined, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

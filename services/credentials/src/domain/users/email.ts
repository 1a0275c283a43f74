const SHAPE = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u;

/** An email as it is stored and looked up: trimmed, in lower case. */
export const normaliseEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** Whether a normalised text looks like an email; whether mail arrives there is not this service's question. */
export const isEmail = (text: string): boolean => SHAPE.test(text);

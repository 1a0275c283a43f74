/** Fewest and most characters of a password. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** What is wrong with a new password; undefined if nothing is. */
export const checkPassword = (password: string): string | undefined => {
  // Characters are counted only where there can be so few of them.
  const length = password.length > 2 * PASSWORD_LENGTH.max ? Infinity : [...password].length;
  if (length < PASSWORD_LENGTH.min) return `Use at least ${PASSWORD_LENGTH.min} characters.`;
  return length > PASSWORD_LENGTH.max ? `Use at most ${PASSWORD_LENGTH.max} characters.` : undefined;
};

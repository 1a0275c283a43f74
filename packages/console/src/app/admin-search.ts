/** Search parameters of the screens for administration. */

const textOf = (value: unknown, pattern: RegExp): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= 200 && pattern.test(text) ? text : undefined;
};

const ID = /^[\w-]+$/;

/** Filter by a project or user. */
export interface OwnerSearch {
  readonly project?: string | undefined;
}

export const readOwnerSearch = (search: Record<string, unknown>): OwnerSearch => ({
  project: textOf(search['project'], ID),
});

/** Type of a new credential. */
export interface NewCredentialSearch {
  readonly type?: string | undefined;
}

export const readNewCredentialSearch = (search: Record<string, unknown>): NewCredentialSearch => ({
  type: textOf(search['type'], /^[A-Za-z0-9]+$/),
});

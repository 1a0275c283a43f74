import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Empty file in the data folder that says that a start has printed the owner's password. */
const SHOWN_FILE = 'password-shown';

/** Reports whether a start with this data folder has printed the password. A start that failed has not. */
export const isPasswordShown = (data: string): boolean => existsSync(join(data, SHOWN_FILE));

/** Notes that the password has been printed. */
export const notePasswordShown = (data: string): void => writeFileSync(join(data, SHOWN_FILE), '');

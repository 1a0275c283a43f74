import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where the browser of this machine is: `CHROMIUM`, or one of the usual places. @throws Error that says what to install. */
export const findChromium = (): string => {
  const found = [process.env['CHROMIUM'] ?? '', ...PLACES].find((place) => place !== '' && existsSync(place));
  if (found === undefined) throw new Error('There is no Chromium: install the package chromium, or set CHROMIUM to the path of one.');
  return found;
};

import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Path of the browser of this machine: `CHROMIUM`, or one of the usual places.
 * @throws Error that says what to install.
 */
const findChromium = (): string => {
  const found = [process.env['CHROMIUM'] ?? '', ...PLACES].find((place) => place !== '' && existsSync(place));
  if (found === undefined)
    throw new Error('There is no Chromium: install the package chromium, or set CHROMIUM to the path of one.');
  return found;
};

/** Starts the browser of this machine without background traffic. @throws Error that says what to install */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

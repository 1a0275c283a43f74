import type { Stack } from '@weft/local-stack';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** Refusals that stories provoke: the browser writes each to its console. */
const PROVOKED = /40[1349]/;

/** Opens a page in a new context and adds its errors to `faults`. */
export const openPage = async (browser: Browser, faults: string[]): Promise<Page> => {
  const opened = await (await browser.newContext({ viewport: { width: 1000, height: 1100 } })).newPage();
  opened.on('pageerror', (error) => faults.push(error.message));
  opened.on('console', (message) => {
    if (message.type() === 'error' && !PROVOKED.test(message.text())) faults.push(message.text());
  });
  return opened;
};

/** Fills in the form of the sign-in and sends it. */
export const signIn = async (as: Page, email: string, password: string): Promise<void> => {
  await as.locator('#sign-in-form').getByLabel('Email').fill(email);
  await as.locator('#sign-in-form').getByLabel('Password').fill(password);
  await as.locator('#sign-in').click();
};

/** Waits until a user is signed in, and everything that they may see is there. */
export const loaded = (of: Page): Promise<void> =>
  of.locator('#keys-view[aria-busy="false"]').waitFor({ state: 'visible' });

/** Waits until the page has reported a change. */
export const said = (of: Page, text: string): Promise<void> =>
  of.locator('#status').filter({ hasText: text }).waitFor({ state: 'attached' });

/** Waits until the page shows why a request was refused. */
export const alerted = (of: Page, text: string): Promise<void> =>
  of.locator('#alert').filter({ hasText: text }).waitFor({ state: 'visible' });

/** Saves a picture of the whole page with the logs of the stack. */
export const picture = async (of: Page, { dataDir }: Pick<Stack, 'dataDir'>, name: string): Promise<void> => {
  const folder = join(dataDir, 'logs', 'pictures');
  mkdirSync(folder, { recursive: true });
  await of.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

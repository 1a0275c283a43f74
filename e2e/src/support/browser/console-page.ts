import type { Stack } from '@weft/local-stack';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** Refusals that stories provoke: the browser writes each to its console. */
const PROVOKED = /status of (?:40[1349]|412|503)/;

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A page of the console that records what must not happen on it. */
export interface ConsolePage {
  readonly page: Page;
  /** Script errors, violations of the policy, requests to other origins, findings of axe. */
  readonly faults: string[];
  /** Opens a path below /console and waits until its content is there. */
  readonly open: (path: string, heading: string) => Promise<void>;
  /** Evaluates JavaScript in the page, which its policy allows to the debugger only. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Looks for findings of axe on what is shown, in both colour schemes. */
  readonly checkAccess: (screen: string) => Promise<void>;
}

/** Opens the console in a new context. */
export const openConsole = async (
  browser: Browser,
  base: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  // The policy of the console forbids any other script, except one of the browser's debugger.
  const debug = await context.newCDPSession(page);
  const evaluate = async (expression: string): Promise<unknown> => {
    const run = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await debug.send('Runtime.evaluate', run);
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !PROVOKED.test(message.text()))
      faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith('blob:')) faults.push(`request to another origin: ${url}`);
  });
  const checkAccess = async (screen: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await evaluate(`${AXE}; 0`);
      const findings = await evaluate(
        `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, help, nodes }) =>
          id + ': ' + help + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
      );
      for (const finding of Array.isArray(findings) ? findings : [])
        faults.push(`axe, ${screen}, ${colorScheme}: ${String(finding)}`);
    }
  };
  return {
    page,
    faults,
    evaluate,
    open: async (path, heading) => {
      await page.goto(`${base}/console${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    },
    checkAccess,
  };
};

/** Fills in the form of the sign-in and sends it. */
export const signInAs = async ({ page }: Pick<ConsolePage, 'page'>, email: string, password: string): Promise<void> => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** Signs in as the owner. */
export const signInToConsole = (
  at: Pick<ConsolePage, 'page'>,
  { ownerEmail, ownerPassword }: Pick<Stack, 'ownerEmail' | 'ownerPassword'>,
): Promise<void> => signInAs(at, ownerEmail, ownerPassword);

/** Opens the console in a new context, and signs in as the owner or another user. */
export const openSignedIn = async (
  browser: Browser,
  { baseUrls: [base = ''], ownerEmail, ownerPassword }: Pick<Stack, 'baseUrls' | 'ownerEmail' | 'ownerPassword'>,
  { email, password } = { email: ownerEmail, password: ownerPassword },
): Promise<ConsolePage> => {
  const at = await openConsole(browser, base);
  await at.page.goto(base);
  await signInAs(at, email, password);
  await at.page.getByRole('heading', { name: 'Overview' }).waitFor();
  return at;
};

/** Waits until a message says so. */
export const told = (page: Page, text: string): Promise<void> =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor();

/** The row of a list that has this text. */
export const rowOf = (page: Page, text: string | RegExp): Locator => page.getByRole('row').filter({ hasText: text });

/** Presses a button of the open dialog. */
export const pressInDialog = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

import type { Page } from 'playwright-core';
import type { ConsolePage } from './console-page';

/** The node on the canvas or in the outline. */
export const nodeOnPage = (page: Page, name: string) => page.locator(`[data-node=${JSON.stringify(name)}]`);

/** Types into the open palette, and adds the best match. */
export const addFromPalette = async (page: Page, query: string, name: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'Search nodes' }).fill(query);
  await page.keyboard.press('Enter');
  await nodeOnPage(page, name).waitFor();
};

const SAVE = /^Save(, go live)?$/;

/** Saves the edit with the keyboard once the page shows it, and waits until it is saved. */
export const saveOnPage = async ({ page }: Pick<ConsolePage, 'page'>): Promise<void> => {
  await page.getByRole('button', { name: SAVE, disabled: false }).waitFor();
  await page.keyboard.press('Control+s');
  // While it is being saved, the button has another name.
  await page.getByRole('button', { name: SAVE, disabled: true }).waitFor();
};

/** Pastes a text as the system does, which a browser does not let a script do. */
export const pasteOnPage = async (page: Page, text: string): Promise<void> => {
  const debug = await page.context().newCDPSession(page);
  const expression = `(() => {
    const data = new DataTransfer();
    data.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`;
  await debug.send('Runtime.evaluate', { expression });
  await debug.detach();
};

import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser, Page } from 'playwright-core';
import { hasCorpus } from '../../corpus/places';
import { corpusWorkflows, type CorpusWorkflow } from '../../corpus/workflow-files';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInToConsole, type ConsolePage } from '../../support/browser/console-page';
import { saveOnPage } from '../../support/browser/editor-page';

(hasCorpus ? describe : describe.skip)('every workflow of the corpus in the editor', () => {
  let stack: Stack;
  let browser: Browser;
  let consoles: readonly ConsolePage[] = [];
  let base = '';

  const send = async (method: string, path: string, body?: string): Promise<string> => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { 'x-svc-api-key': stack.apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    return response.text();
  };
  const storedText = async (id: string): Promise<string> => {
    const list = await send('GET', `/workflows/${id}/versions?limit=1`);
    const text = await send('GET', `/workflows/${id}/versions/${/"versionId":"([^"]+)"/.exec(list)?.[1] ?? ''}`);
    return text.slice(text.indexOf('"definition":') + '"definition":'.length, -2);
  };

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    browser = await launchChromium();
    // Each has its own session, which is limited to 600 requests a minute.
    consoles = await Promise.all([1, 2, 3].map(() => openConsole(browser, base)));
    for (const at of consoles) {
      await at.page.goto(`${base}/console/`);
      await signInToConsole(at, stack);
      await at.page.getByRole('heading', { name: 'Overview' }).waitFor();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  /** Opens a workflow, saves an edit and then the way back: an unchanged workflow is not saved. */
  const saveInEditor = async (page: Page, { path, text }: CorpusWorkflow): Promise<string[]> => {
    const id = /"data":\{"id":"([^"]+)"/.exec(await send('POST', '/workflows', text))?.[1];
    if (id === undefined) return [`${path}: refused`];
    // The edit disables a trigger, which an active workflow may lack.
    await send('POST', `/workflows/${id}/deactivate`);
    const before = await storedText(id);
    await page.goto(`${base}/console/workflows/${id}`);
    const first = page.locator('[data-node]').first();
    await first.waitFor();
    await first.press('d');
    await saveOnPage({ page });
    await page.keyboard.press('Control+z');
    await saveOnPage({ page });
    const isSame = (await storedText(id)) === before;
    await send('DELETE', `/workflows/${id}`);
    return isSame ? [] : [`${path}: other bytes`];
  };

  it('is drawn, and saved with the bytes that it had', async () => {
    const waiting = [...corpusWorkflows()];
    expect(waiting.length).toBe(385);
    const faults: string[] = [];
    const work = async (page: Page): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { path } = next;
        const found = await saveInEditor(page, next).catch((error: unknown) => [`${path}: ${String(error)}`]);
        faults.push(...found);
      }
    };
    await Promise.all(consoles.map(({ page }) => work(page)));
    expect(faults).toEqual([]);
  }, 3_000_000);

  it('shows no script error, policy violation or foreign request', () => {
    expect(consoles.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

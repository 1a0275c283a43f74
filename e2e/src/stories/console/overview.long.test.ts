import { startStack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import {
  openConsole,
  pressInDialog,
  rowOf,
  signInToConsole,
  told,
  type ConsolePage,
} from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { listOf, restClient, textOf } from '../../support/rest';
import { chain, node } from '../../support/workflows';

describe('a user who looks after many workflows', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let base = '';
  let project = '';

  const rest = () => restClient(base, stack.apiKey);
  const card = (name: string) => at.page.getByRole('region', { name, exact: true });
  const namesOf = async (query: string): Promise<unknown[]> =>
    listOf(await rest()('GET', `/workflows?summary=true${query}`))
      .map(({ name }) => name)
      .sort();
  const select = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await at.page.getByRole('checkbox', { name: `Select ${name}` }).click();
    await at.page.getByRole('region', { name: 'Selected workflows' }).getByText(`${names.length} selected`).waitFor();
  };

  beforeAll(async () => {
    stack = await startStack();
    base = stack.baseUrls[0] ?? '';
    const start = node('Start', 'manualTrigger', 1, 0);
    const clock = node('Clock', 'scheduleTrigger', 1.2, 0, {
      rule: { interval: [{ field: 'cronExpression', expression: '0 3 1 1 *' }] },
    });
    const broken = chain('Breaks', [
      start,
      node('Fail', 'stopAndError', 1, 200, { errorType: 'errorMessage', errorMessage: 'The shop is closed.' }),
    ]);
    const id = textOf(await rest()('POST', '/workflows', broken), 'id');
    await rest()('POST', `/workflows/${id}/execute`, { wait: true });
    await rest()('POST', '/workflows', { ...chain('New year', [clock]), active: true });
    for (const name of ['First', 'Second', 'Third']) await rest()('POST', '/workflows', chain(name, [start]));
    project = textOf(await rest()('POST', '/projects', { name: 'Team' }), 'id');
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(`${base}/console/`);
    await signInToConsole(at, stack);
    await at.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stack.stop();
  });

  it('sees what failed and why, what runs next, and counts that lead to the filtered lists', async () => {
    await card('Failed')
      .getByRole('link', { name: /Breaks.*The shop is closed/ })
      .waitFor();
    await card('Latest')
      .getByRole('link', { name: /Breaks/ })
      .waitFor();
    await card('Next schedules')
      .getByRole('link', { name: /New year/ })
      .waitFor();
    await at.checkAccess('overview');
    await picture(at.page, stack, 'console-overview');
    await at.page.getByRole('link', { name: /failed in the last hour|failed, last hour/i }).click();
    await at.page.waitForURL(/status=error.*period=1h|period=1h.*status=error/);
    await rowOf(at.page, 'Breaks').waitFor();
  });

  it('moves several workflows to a project', async () => {
    await at.open('/workflows', 'Workflows');
    await select('First', 'Second');
    await at.page.getByRole('button', { name: 'Move 2' }).click();
    await at.page.getByRole('dialog').getByLabel('To').selectOption('Team');
    await pressInDialog(at.page, 'Move');
    await told(at.page, '2 workflows moved');
    expect(await namesOf(`&projectId=${project}`)).toEqual(['First', 'Second']);
  });

  it('deletes several after being told how many are active, and keeps the others', async () => {
    await select('Third', 'New year');
    await at.page.getByRole('button', { name: 'Delete 2' }).click();
    await at.page.getByRole('dialog').getByText('1 of them active: their triggers stop.').waitFor();
    await at.checkAccess('deletion of several workflows');
    await at.page.getByRole('dialog').getByText('Close', { exact: true }).click();
    expect(await namesOf('')).toHaveLength(5);
    await at.page.getByRole('button', { name: 'Delete 2' }).click();
    await pressInDialog(at.page, 'Delete 2');
    await told(at.page, '2 workflows deleted');
    expect(await namesOf('')).toEqual(['Breaks', 'First', 'Second']);
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});

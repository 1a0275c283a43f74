import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openSignedIn, pressInDialog, rowOf, told, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { dataOf, listOf, restClient, type Rest } from '../../support/rest';
import { node } from '../../support/workflows';

const TABLE = 'Cities <b>of</b> the console';
const KEY = 'CONSOLE_API_URL';

describe('what workflows keep and send, in the console', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let rest: Rest;
  let base = '';
  let table = '';

  const act = async (action: string): Promise<void> => {
    await at.page.getByRole('button', { name: 'Actions' }).click();
    await at.page.getByRole('menuitem', { name: action }).click();
  };
  const rows = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    listOf(await rest('GET', `/data-tables/${table}/rows`));

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });
  afterEach(() => expect(at.faults).toEqual([]));

  it('is a variable, whose value is edited in place', async () => {
    await at.page.getByRole('link', { name: 'Variables' }).click();
    await at.page.getByRole('button', { name: /^New/ }).first().click();
    await at.page.getByRole('dialog').getByLabel('Name').fill(KEY);
    await at.page.getByRole('dialog').getByLabel('Value').fill('https://old.example');
    await at.checkAccess('new variable');
    await pressInDialog(at.page, 'Create');
    await at.page.getByRole('button', { name: `Value of ${KEY}: https://old.example. Edit` }).click();
    await at.page.getByRole('textbox', { name: `Value of ${KEY}` }).fill('https://new.example');
    await at.checkAccess('variables');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('button', { name: `Value of ${KEY}: https://new.example. Edit` }).waitFor();
    const stored = listOf(await rest('GET', '/variables')).find(({ key }) => key === KEY);
    expect(stored?.['value']).toBe('https://new.example');
  });

  it('is not overwritten if someone else has changed it meanwhile', async () => {
    const id = String(listOf(await rest('GET', '/variables')).find(({ key }) => key === KEY)?.['id']);
    await at.page.getByRole('button', { name: new RegExp(`^Value of ${KEY}`) }).click();
    await at.page.waitForLoadState('networkidle');
    await rest('PUT', `/variables/${id}`, { key: KEY, value: 'https://other.example' });
    await at.page.getByRole('textbox', { name: `Value of ${KEY}` }).fill('https://mine.example');
    await at.page.keyboard.press('Enter');
    await told(at.page, 'It was not saved');
    expect(dataOf(await rest('GET', `/variables/${id}`))['value']).toBe('https://other.example');
    await at.page.keyboard.press('Escape');
    await at.page.getByRole('button', { name: `Delete ${KEY}` }).click();
    await pressInDialog(at.page, 'Delete');
    await rowOf(at.page, KEY).waitFor({ state: 'detached' });
  });

  it('is a table, with rows that are added, edited, imported and deleted', async () => {
    await at.page.getByRole('link', { name: 'Data tables' }).click();
    await at.page.getByRole('button', { name: /^New/ }).first().click();
    await at.page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(TABLE);
    await at.page.getByLabel('Name of column 1').fill('city');
    await at.page.getByRole('button', { name: 'Column', exact: true }).click();
    await at.page.getByLabel('Name of column 2').fill('orders');
    await at.page.getByLabel('Type of column 2').selectOption('number');
    await at.checkAccess('new table');
    await pressInDialog(at.page, 'Create');
    await at.page.getByRole('heading', { name: TABLE, level: 1 }).waitFor();
    table = at.page.url().split('/').at(-1) ?? '';
    await at.page.getByRole('button', { name: /^Add/ }).click();
    await at.page.getByLabel('city').fill('Riga');
    await at.page.getByLabel('orders').fill('three');
    await pressInDialog(at.page, 'Add');
    await at.page.getByRole('dialog').getByText('orders must be a number').waitFor();
    await at.page.getByLabel('orders').fill('3');
    await pressInDialog(at.page, 'Add');
    await at.page.getByRole('button', { name: 'orders of row 1: 3. Edit' }).click();
    await at.page.getByRole('textbox', { name: 'orders of row 1' }).fill('4');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('button', { name: 'orders of row 1: 4. Edit' }).waitFor();
    await at.page.getByRole('button', { name: 'Import CSV' }).click();
    const buffer = Buffer.from('city,orders\r\n"Köln, ""am Rhein""",5\r\n"two\nlines",\r\n');
    await at.page.getByLabel('File').setInputFiles({ name: 'cities.csv', mimeType: 'text/csv', buffer });
    await pressInDialog(at.page, 'Import');
    await told(at.page, '2 rows imported');
    await at.page.getByRole('button', { name: 'Delete row 1' }).click();
    await pressInDialog(at.page, 'Delete');
    await told(at.page, 'Row 1 was deleted');
    expect((await rows()).map(({ city, orders }) => [city, orders])).toEqual([
      ['Köln, "am Rhein"', 5],
      ['two\nlines', null],
    ]);
    await at.checkAccess('table');
    await picture(at.page, stack, 'console-table');
    await act('Delete the table');
    await pressInDialog(at.page, 'Delete');
    await at.page.getByRole('heading', { name: 'Data tables', level: 1 }).waitFor();
    expect((await rest('GET', `/data-tables/${table}`)).status).toBe(404);
  });

  it('are events, to a receiver that is tested, paused and deleted', async () => {
    await at.page.getByRole('link', { name: 'Subscriptions' }).click();
    await at.page.getByRole('button', { name: /^New/ }).first().click();
    await at.page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Console alerts');
    await at.page.getByLabel('Address').fill('http://127.0.0.1:9/closed');
    await at.page.getByLabel('Sent after').selectOption('error');
    await at.checkAccess('new subscription');
    await pressInDialog(at.page, 'Create');
    await at.page.getByRole('heading', { name: 'Console alerts', level: 1 }).waitFor();
    const id = at.page.url().split('/').at(-1) ?? '';
    await at.page.getByRole('button', { name: 'Test' }).click();
    await told(at.page, 'The test event was not accepted');
    await act('Pause');
    await at.page.getByText('Paused').first().waitFor();
    expect(dataOf(await rest('GET', `/event-subscriptions/${id}`))).toMatchObject({
      paused: true,
      statuses: ['error'],
    });
    await act('Delete');
    await pressInDialog(at.page, 'Delete');
    await at.page.getByRole('heading', { name: 'Event subscriptions', level: 1 }).waitFor();
    expect((await rest('GET', `/event-subscriptions/${id}`)).status).toBe(404);
  });

  it('are due times, which are counted before those of the past run', async () => {
    const made = await rest('POST', '/workflows', {
      name: 'Console nightly',
      nodes: [
        node('Clock', 'scheduleTrigger', 1.2, 0, {
          rule: { interval: [{ field: 'cronExpression', expression: '0 3 * * *' }] },
        }),
      ],
      connections: {},
      settings: { timezone: 'UTC' },
      active: true,
    });
    expect(made.status).toBe(201);
    await at.page.getByRole('link', { name: 'Schedules' }).click();
    await rowOf(at.page, 'Console nightly').locator('time').first().waitFor();
    await at.checkAccess('schedules');
    await at.page.getByRole('button', { name: 'Backfill Console nightly' }).click();
    await at.page.getByLabel('From, in your time zone').fill('2026-03-01T00:00');
    await at.page.getByLabel('To, not included').fill('2026-03-04T00:00');
    await pressInDialog(at.page, 'Count due times');
    await at.page.getByRole('dialog').getByText('3 due times found').waitFor();
    await at.checkAccess('backfill');
    await pressInDialog(at.page, 'Run 3 due times');
    await told(at.page, 'has started');
    const id = String(dataOf(made)['id']);
    expect(listOf(await rest('GET', `/workflows/${id}/backfills`))).toMatchObject([{ total: 3 }]);
  });

  it('are shown in narrow windows, and where there is nothing', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    for (const [path, heading] of [
      ['/deliveries?state=parked', 'Deliveries'],
      ['/schedules', 'Schedules'],
      ['/subscriptions', 'Event subscriptions'],
      ['/variables', 'Variables'],
      ['/tables', 'Data tables'],
    ] as const) {
      await at.open(path, heading);
      await at.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      expect([path, await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([
        path,
        true,
      ]);
      await at.checkAccess(`${path}, narrow`);
    }
    await at.page.getByRole('button', { name: 'More' }).click();
    await at.page.getByRole('menuitem', { name: 'API keys' }).click();
    await at.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await at.page.goto(`${base}/console/deliveries/01a22926-9a4c-74e2-a394-0f138c7929b7`);
    await at.page.getByRole('heading', { name: 'This delivery was not found' }).waitFor();
    await at.checkAccess('no such delivery');
  });
});

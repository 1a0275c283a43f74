import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

const options = (...values: string[]) => ({ values: values.map((option) => ({ option })) });

/** An application: a first page with a file, a second page that uses the first, and an end that uses both. */
const application: WorkflowFile = {
  name: 'application',
  nodes: [
    node('Apply', 'formTrigger', 2.3, 0, {
      formTitle: 'Apply for a workshop',
      formDescription: 'Two short pages, <b>about three minutes</b>.\nYou get an answer by email.',
      formFields: {
        values: [
          { fieldLabel: 'Full name', placeholder: 'Ada Lovelace', requiredField: true },
          { fieldLabel: 'Email', fieldType: 'email', requiredField: true },
          {
            fieldLabel: 'Topics',
            fieldType: 'checkbox',
            fieldOptions: options('Expressions', 'Webhooks', 'Queues'),
            limitSelection: 'range',
            minSelections: 1,
            maxSelections: 2,
            requiredField: true,
          },
          { fieldLabel: 'Level', fieldType: 'radio', fieldOptions: options('New to it', 'I know my way') },
          { fieldLabel: 'First day', fieldType: 'date' },
          { fieldLabel: 'Curriculum vitae', fieldType: 'file', multipleFiles: false, acceptFileTypes: '.txt,.pdf' },
          { fieldType: 'hiddenField', fieldName: 'source', fieldValue: 'web' },
          { fieldType: 'html', html: '<p>We keep your answers for <em>30 days</em>.</p>' },
        ],
      },
      options: { path: 'apply', buttonLabel: 'Next' },
    }),
    node('Size', 'form', 2.3, 200, {
      formFields: {
        values: [
          {
            fieldLabel: 'Shirt size',
            fieldType: 'dropdown',
            fieldOptions: options('S', 'M', 'L'),
            requiredField: true,
          },
          { fieldLabel: 'Anything else?', fieldType: 'textarea' },
        ],
      },
      options: { formTitle: '=Nearly done, {{ $json["Full name"] }}', buttonLabel: 'Send' },
    }),
    node('End', 'form', 2.3, 600, {
      operation: 'completion',
      completionTitle: '=Thank you, {{ $("Apply").item.json["Full name"] }}',
      completionMessage:
        '=Size {{ $json["Shirt size"] }}. File: {{ $("Apply").item.json["Curriculum vitae"].filename }}',
    }),
  ],
  connections: connect({ Apply: [['Size']], Size: [['End']] }),
  settings: { executionOrder: 'v1' },
};

describe('forms', () => {
  let stack: Stack;
  let rest: Rest;
  let base = '';
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    browser = await launchChromium();
    // Forms need no script, so scripts are off in the browser.
    page = await (
      await browser.newContext({
        javaScriptEnabled: false,
        viewport: { width: 1000, height: 900 },
        colorScheme: 'light',
      })
    ).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('400')) faults.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  const picture = async (name: string): Promise<void> => {
    const folder = join(stack.dataDir, 'logs', 'pictures');
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `form-${name}.png`), fullPage: true });
  };
  const create = async (file: WorkflowFile): Promise<string> =>
    textOf(await rest('POST', '/workflows', { ...file, active: true }), 'id');
  const lastRun = async (workflowId: string) => {
    const [run] = listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=1`));
    return typeof run?.['id'] === 'string' ? dataOf(await rest('GET', `/executions/${run['id']}`)) : undefined;
  };
  const runsOf = async (workflowId: string) => listOf(await rest('GET', `/executions?workflowId=${workflowId}`)).length;
  let workflowId = '';

  it('shows the form of an active workflow, and reports an error next to its field', async () => {
    workflowId = await create(application);
    expect((await page.goto(`${base}/form/apply`))?.status()).toBe(200);
    await picture('light');
    await page.getByLabel('Full name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('I know my way').check();
    await page
      .getByLabel('Curriculum vitae')
      .setInputFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('compilers') });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('group', { name: 'Topics' }).locator('.error').textContent()).toBe('Choose 1 to 2.');
    expect(await page.getByLabel('Full name').inputValue()).toBe('Grace Hopper');
    expect(await page.getByLabel('I know my way').isChecked()).toBe(true);
    await picture('errors');
    expect(await runsOf(workflowId)).toBe(0);
  });

  it('leads on to the next page of the same run, and to its end', async () => {
    await page.getByLabel('Expressions').check();
    await page.getByLabel('Queues').check();
    await page
      .getByLabel('Curriculum vitae')
      .setInputFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('compilers') });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Nearly done, Grace Hopper' }).waitFor();
    expect(page.url()).toContain('/form-waiting/');
    await picture('second-page');
    expect(await lastRun(workflowId)).toMatchObject({ status: 'waiting' });
    await page.getByLabel('Shirt size').selectOption('M');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you, Grace Hopper' }).waitFor();
    expect(await page.getByRole('main').textContent()).toContain('Size M. File: cv.txt');
    await picture('end');
    const run = await until('the run has ended', async () => {
      const found = await lastRun(workflowId);
      return found?.['status'] === 'success' ? found : undefined;
    });
    expect(JSON.stringify(run)).toMatch(/"Topics":\["Expressions","Queues"\].*"source":"web"/);
    expect(await runsOf(workflowId)).toBe(1);
  });

  it('shows the end again when it is loaded again, and begins no second run', async () => {
    await page.reload();
    await page.getByRole('heading', { name: 'Thank you, Grace Hopper' }).waitFor();
    expect(await runsOf(workflowId)).toBe(1);
  });

  it('looks well in the dark and on a telephone', async () => {
    for (const [name, scheme, width] of [
      ['dark', 'dark', 1000],
      ['phone', 'light', 360],
      ['phone-dark', 'dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 740 });
      await page.goto(`${base}/form/apply?Full+name=Ada`);
      await picture(name);
    }
    // Nothing overflows horizontally.
    const [body, main] = [await page.locator('body').boundingBox(), await page.locator('main').boundingBox()];
    expect([body?.width, main === null ? false : main.width <= 360]).toEqual([360, true]);
    expect(faults).toEqual([]);
  });

  it('offers a file of an earlier node at the end', async () => {
    const offer: WorkflowFile = {
      name: 'offer',
      nodes: [
        node('Form', 'formTrigger', 2.2, 0, {
          formTitle: 'Send',
          formFields: { values: [{ fieldLabel: 'Text', fieldType: 'file', multipleFiles: false }] },
          options: { path: 'offer' },
        }),
        node('Bare', 'set', 3.4, 200, { mode: 'raw', jsonOutput: '{ "a": 1 }', options: { stripBinary: true } }),
        node('End', 'form', 2.3, 400, {
          operation: 'completion',
          respondWith: 'returnBinary',
          completionTitle: 'Here it is',
          inputDataFieldName: 'Text',
        }),
      ],
      connections: connect({ Form: [['Bare']], Bare: [['End']] }),
      settings: { executionOrder: 'v1' },
    };
    await create(offer);
    await page.goto(`${base}/form/offer`);
    await page
      .getByLabel('Text')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('what it says') });
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Here it is' }).waitFor();
    const href = await page.getByRole('link', { name: 'Save a.txt' }).getAttribute('href');
    expect(await (await fetch(new URL(href ?? '', page.url()))).text()).toBe('what it says');
  });

  it('passes an uploaded file to the nodes of the run, and shows while the run is running that it is', async () => {
    const slow: WorkflowFile = {
      name: 'slow',
      nodes: [
        node('Form', 'formTrigger', 2.2, 0, {
          formTitle: 'Slow',
          responseMode: 'lastNode',
          formFields: { values: [{ fieldLabel: 'Text', fieldType: 'file', multipleFiles: false }] },
          options: {
            path: 'slow',
            respondWithOptions: { values: { respondWith: 'text', formSubmittedText: 'All done' } },
          },
        }),
        node('Wait', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 6, unit: 'seconds' }),
        node('Read', 'extractFromFile', 1, 400, {
          operation: 'text',
          binaryPropertyName: 'Text',
          destinationKey: 'read',
          options: {},
        }),
      ],
      connections: connect({ Form: [['Wait']], Wait: [['Read']] }),
      settings: { executionOrder: 'v1' },
    };
    const id = await create(slow);
    await page.goto(`${base}/form/slow`);
    await page
      .getByLabel('Text')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('what it says') });
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'One moment' }).waitFor();
    await picture('working');
    await page.getByText('All done').waitFor();
    expect(JSON.stringify(await lastRun(id))).toContain('"read":"what it says"');
  });
});

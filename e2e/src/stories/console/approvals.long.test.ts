import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import type { Browser } from 'playwright-core';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { launchChromium } from '../../support/browser/chromium';
import { type ConsolePage, openSignedIn } from '../../support/browser/console-page';
import { pictures } from '../../support/browser/picture';
import { callWebhook, dataOf, restClient, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

describe('approvals in the console', () => {
  let stack: Stack;
  let rest: Rest;
  let models: ModelServer;
  let browser: Browser;
  let at: ConsolePage;
  let workflowId = '';

  beforeAll(async () => {
    models = await serveModels();
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${models.url}/v1`);
    workflowId = await activate(rest, {
      name: 'Payments',
      nodes: [
        node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'payments', responseMode: 'onReceived' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Pay the invoice.' }),
        chatModel(credential),
        modelNode(
          'Pay',
          'toolCode',
          1.3,
          { description: 'Pays an amount', jsCode: "return 'Paid ' + query" },
          { approval: 'required' },
        ),
      ],
      connections: {
        Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ['Pay', 'ai_tool', 'Agent'],
        ]),
      },
    });
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
    await models?.close();
  });
  afterEach(() => expect(at.faults.splice(0)).toEqual([]));

  const open = async (): Promise<string> => {
    models.play(
      { answer: { toolCalls: [{ id: 'c1', name: 'Pay', input: { input: '40' } }] } },
      { answer: { text: 'Understood.' } },
    );
    const { headers } = await callWebhook(stack.baseUrls[0] ?? '', 'payments', {});
    const id = headers.get('x-weft-execution-id') ?? '';
    await at.open(`/executions/${id}`, 'Payments');
    await at.page.getByRole('region', { name: 'Approval of Pay' }).waitFor();
    return id;
  };
  const stateOf = async (id: string): Promise<unknown> => dataOf(await rest('GET', `/executions/${id}`))['state'];

  it('show the call with its arguments while the run waits, and let it be approved', async () => {
    const id = await open();
    const { page } = at;
    const approval = page.getByRole('region', { name: 'Approval of Pay' });
    await approval.getByText('40').waitFor();
    await at.checkAccess('approval');
    await pictures(page, stack, 'approval');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await approval.waitFor({ state: 'detached' });
    await until('the run ends', async () => (await stateOf(id)) === 'success');
    expect(JSON.stringify(models.last().body)).toContain('Paid 40');
  });

  it('tell the model why a call was rejected', async () => {
    const id = await open();
    const approval = at.page.getByRole('region', { name: 'Approval of Pay' });
    await approval.getByRole('textbox', { name: /Message to the model/ }).fill('Too much');
    await approval.getByRole('button', { name: 'Reject' }).click();
    await approval.waitFor({ state: 'detached' });
    await until('the run ends', async () => (await stateOf(id)) === 'success');
    expect(JSON.stringify(models.last().body)).toContain('The call was rejected by a person: Too much');
  });

  it('are asked for by a switch of nodes that a model can call, and of no others', async () => {
    const { page } = at;
    const approvalOf = async () => {
      const { nodes } = dataOf(await rest('GET', `/workflows/${workflowId}`));
      return JSON.stringify(nodes).includes('"approval":"required"');
    };
    const settingsOf = async (name: string) => {
      await at.open(`/workflows/${workflowId}?node=${name}`, 'Payments');
      await page.getByRole('tab', { name: 'Settings' }).click();
      return page.getByRole('switch', { name: 'Ask a person before each call' });
    };
    const asks = await settingsOf('Pay');
    expect(await asks.getAttribute('aria-checked')).toBe('true');
    await asks.click();
    await page.getByRole('button', { name: /^Save, go live/ }).click();
    await until('the change is stored', async () => !(await approvalOf()));
    const others = await settingsOf('Agent');
    await page.getByRole('switch', { name: 'Execute once' }).waitFor();
    expect(await others.count()).toBe(0);
  });
});

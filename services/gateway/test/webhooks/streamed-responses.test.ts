import { field, isJsonObject } from '@weft/service-kit/json';
import { until } from '@weft/service-kit/testing';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('a webhook with a streamed response', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode: 'streaming' }));
  });
  afterEach(() => gateway.stop());

  const answer = (body: string, statusCode = 200) => ({ statusCode, headers: [], body: Buffer.from(body) });
  const post = () => gateway.ask('POST', '/webhook/hook', { body: {} });
  const linesOf = (text: string): readonly unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('waits for a long run by repeating its start, marked as a repetition, so that the run begins once', async () => {
    gateway.executions.told.answer = undefined;
    const response = post();
    const calls = () => gateway.executions.callsOf('startExecution');
    await until('the start is repeated', () => calls().length >= 3);
    gateway.executions.told.answer = answer('done');
    expect((await response).status).toBe(200);
    const starts = calls().map(({ request }) => (isJsonObject(request) ? request['start'] : undefined));
    expect(starts.map((start) => field(start, 'repeatedStart') === true)).toEqual(starts.map((_, at) => at > 0));
    expect(new Set(starts.map((start) => field(start, 'executionId'))).size).toBe(1);
  });

  it('pauses between two starts that are answered at once without a response', async () => {
    gateway.executions.told.answer = undefined;
    const response = post();
    const calls = () => gateway.executions.callsOf('startExecution').length;
    await until('the run is started', () => calls() > 0);
    const startedAt = performance.now();
    await until('the start is repeated twice', () => calls() >= 3);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    gateway.executions.told.answer = answer('done');
    expect((await response).status).toBe(200);
  });

  it('ends with the text of a run whose nodes wrote none before', async () => {
    gateway.executions.told.answer = answer('Hello');
    const { status, text } = await post();
    expect(status).toBe(200);
    expect(linesOf(text)).toMatchObject([{ type: 'begin' }, { type: 'item', content: 'Hello' }, { type: 'end' }]);
  });

  it('ends with an error line if the run fails', async () => {
    gateway.executions.told.answer = answer('{"message":"Error in workflow"}', 500);
    const { text } = await post();
    expect(linesOf(text)).toMatchObject([{ type: 'error', content: 'Error in workflow' }]);
  });
});

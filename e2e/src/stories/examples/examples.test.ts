import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsOf, commandLine, jsonOf, type CommandLine } from '../../support/command-line';
import {
  credentialsFor,
  endOf,
  EXAMPLES,
  exampleNames,
  rowsOf,
  runAt,
  SECRETS,
  storeSettings,
  variablesFor,
} from '../../support/examples';
import { callWebhook, dataOf, listOf, restClient, type Rest, type RestAnswer } from '../../support/rest';
import { startMailServer, type MailServer } from '../../support/stand-ins/mail-server';
import { startServices, type Services } from '../../support/stand-ins/services';
import { until } from '../../support/until';
import { chain, node } from '../../support/workflows';

const CALLERS = { 'x-key': SECRETS.callers };

describe('the examples', () => {
  let stack: Stack;
  let rest: Rest;
  let base = '';
  let cli: CommandLine;
  let services: Services;
  let mail: MailServer;
  const cleanups: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    [stack, services, mail] = await Promise.all([borrowStack(), startServices(), startMailServer()]);
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    cli = commandLine(base, stack.apiKey);
  });
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
    cli?.remove();
    await giveStackBack(stack);
    await services?.stop();
    await mail?.stop();
  });

  const idOf = async (key: string): Promise<string> => {
    const [found] = listOf(await rest('GET', `/workflows?summary=true&key=${key}`));
    return String(found?.['id']);
  };
  const requestsTo = (path: string) => services.requests.filter((request) => request.path.startsWith(path));
  const executionOf = (answer: RestAnswer): string => answer.headers.get('x-weft-execution-id') ?? '';
  const mailsTo = (address: string) => mail.accepted.filter(({ to }) => to.includes(address));

  it('are applied: 12 created, then none; without its credential one stays inactive, with exit code 5', async () => {
    expect(exampleNames()).toHaveLength(12);
    const all = credentialsFor(mail);
    const isLate = ({ name }: { readonly name: string }): boolean => name === 'Alert channel';
    cleanups.push(
      await storeSettings(
        rest,
        variablesFor(services),
        all.filter((one) => !isLate(one)),
      ),
    );
    const apply = ['apply', '-f', EXAMPLES];
    const first = await cli.weft(apply);
    expect([first.code, actionsOf(first)]).toEqual([
      5,
      Array.from({ length: 12 }, () => expect.stringMatching(/^created /)),
    ]);
    expect(jsonOf(first).conflicts).toMatchObject([{ reason: 'CREDENTIAL_NOT_LINKED', key: 'examples/error-alert' }]);
    expect(first.err).toContain('"Alert channel" does not exist');
    const stored = listOf(await rest('GET', '/workflows?summary=true&limit=100&managedBy=cli'));
    const inactive = stored.filter(({ key, active }) => String(key).match(/^examples|^migrated/) && active === false);
    expect(inactive.map(({ key }) => key)).toEqual(['examples/error-alert']);
    const again = await cli.weft(apply);
    expect([again.code, jsonOf(again).changes]).toEqual([5, []]);

    cleanups.push(await storeSettings(rest, {}, all.filter(isLate)));
    const linked = await cli.weft(apply);
    expect([linked.code, actionsOf(linked).at(-1)]).toEqual([0, 'activated examples/error-alert']);
    const last = await cli.weft(apply);
    expect([last.code, jsonOf(last)]).toMatchObject([0, { changes: [], conflicts: [], unchanged: 12 }]);
  });

  it('payment-webhook books a payment once, however often and in whatever order its events arrive', async () => {
    const event = (created: number, status: string) => ({
      id: `evt_${created}`,
      type: `payment_intent.${status}`,
      created,
      data: { object: { id: 'pi_1', status, amount: 1999, currency: 'eur', metadata: { order_id: 'o-1' } } },
    });
    const send = async (body: object): Promise<string> => {
      const at = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', SECRETS.stripe)
        .update(`${at}.${JSON.stringify(body)}`)
        .digest('hex');
      const answer = await callWebhook(base, 'examples/payments', body, {
        'stripe-signature': `t=${at},v1=${signature}`,
      });
      expect(answer.status).toBe(200);
      return executionOf(answer);
    };
    services.answer(/^PUT \/erp\/payments/, (_, attempt) => ({ status: attempt === 1 ? 503 : 200 }));
    const paid = await send(event(200, 'succeeded'));
    expect(await endOf(rest, paid)).toMatchObject({ status: 'success' });
    expect(await send(event(200, 'succeeded'))).toBe(paid);
    expect(await endOf(rest, await send(event(100, 'processing')))).toMatchObject({ status: 'success' });
    expect(await rowsOf(rest, 'payments')).toMatchObject([
      { payment_id: 'pi_1', status: 'succeeded', event_created: 200 },
    ]);
    const booked = requestsTo('/erp/payments/pi_1');
    expect(booked.map(({ body }) => body)).toEqual([booked[0]?.body, { order: 'o-1', amount: 1999, currency: 'eur' }]);
    expect(new Set(booked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await callWebhook(base, 'examples/payments', {}, { 'stripe-signature': 't=1,v1=00' })).status).toBe(403);
  });

  it('approval-by-link orders only after the form behind the link says so', async () => {
    const ask = async (id: string): Promise<string> => {
      const before = mailsTo('approver@example.com').length;
      const body = { id, item: 'Chair', amount: 300, reason: 'broken', requester: 'ada@example.com' };
      const answer = await callWebhook(base, 'examples/purchases', body, CALLERS);
      expect(answer.status).toBe(202);
      const asked = await until('the mail', async () => mailsTo('approver@example.com')[before]);
      const link = /http:\/\/[^\s"]+\/form-waiting\/[\w/-]+/.exec(asked.text)?.[0] ?? '';
      // The mail is sent a moment before the run waits.
      await until('the form behind the link', async () => (await fetch(link)).ok);
      return link;
    };
    const decide = async (link: string, decision: string): Promise<void> => {
      const page = await (await fetch(link)).text();
      const form = new FormData();
      const [, name = '', value = ''] = /<input type="hidden" name="([^"]+)" value="([^"]+)"/.exec(page) ?? [];
      form.set(name, value);
      form.set('field-0', decision);
      form.set('field-1', 'fine');
      expect((await fetch(link, { method: 'POST', body: form })).status).toBeLessThan(400);
    };
    const link = await ask('r-1');
    // A mail scanner opens links as well.
    expect((await fetch(link)).status).toBe(200);
    expect(requestsTo('/erp/orders')).toEqual([]);
    await decide(link, 'Approve');
    await until('the answer', async () => mailsTo('ada@example.com')[0]);
    expect(requestsTo('/erp/orders')).toMatchObject([
      { method: 'PUT', path: '/erp/orders/r-1', body: { item: 'Chair' } },
    ]);
    await decide(await ask('r-2'), 'Reject');
    const told = await until('the second answer', async () => mailsTo('ada@example.com')[1]);
    expect(told.text).toMatch(/Not ordered: Chair[^]*fine/);
    expect(requestsTo('/erp/orders')).toHaveLength(1);
  });

  it('nightly-csv-report mails the orders of the day before, from all pages', async () => {
    const page = `${services.url}/shop/orders?day=2026-11-28`;
    services.answer(/^GET \/shop\/orders\?day/, ({ path }) => ({
      body: path.includes('page=2')
        ? { orders: [{ id: 'o-2', customer: 'Grace, Inc.', total: 20 }] }
        : { orders: [{ id: 'o-1', customer: 'Ada', total: 10 }], next: `${page}&page=2` },
    }));
    const id = await idOf('examples/nightly-csv-report');
    const run = dataOf(await runAt(rest, id, 'Every night', { timestamp: '2026-11-29T02:30:00.000+01:00' }));
    expect(run).toMatchObject({ status: 'success' });
    const [report] = mailsTo('sales@example.com');
    expect(report?.text).toContain('Subject: Orders of 2026-11-28');
    const [, file = ''] = /orders-2026-11-28\.csv[^]*?\n\n([A-Za-z0-9+/=\n]+)/.exec(report?.text ?? '') ?? [];
    expect(Buffer.from(file, 'base64').toString('utf8')).toMatch(
      /Order,Customer,Total\r?\no-1,Ada,10\r?\no-2,"Grace, Inc.",20/,
    );
  });

  it('csv-import stores valid rows, names the others, and changes nothing the second time', async () => {
    const send = async (content: string): Promise<{ readonly status: number; readonly body: unknown }> => {
      const form = new FormData();
      form.set('data', new Blob([content], { type: 'text/csv' }), 'customers.csv');
      const reply = await fetch(`${base}/webhook/examples/customers`, { method: 'POST', body: form, headers: CALLERS });
      return { status: reply.status, body: await reply.json() };
    };
    const sample = readFileSync(join(EXAMPLES, 'csv-import/customers.csv'), 'utf8');
    const result = { imported: 3, rejected: [{ line: 5, problem: 'email is not an address' }], rejectedCount: 1 };
    expect(await send(sample)).toEqual({ status: 200, body: result });
    expect(await send(sample)).toEqual({ status: 200, body: result });
    expect((await rowsOf(rest, 'customers')).map(({ customer_id }) => customer_id)).toEqual([
      'c-1001',
      'c-1002',
      'c-1003',
    ]);
    const noFile = await callWebhook(base, 'examples/customers', { data: 1 }, CALLERS);
    expect([noFile.status, noFile.text]).toEqual([400, expect.stringContaining('Send a CSV file')]);
  });

  it('fan-out starts one run for each customer, five at a time, and repeats none', async () => {
    services.answer(/^PUT \/billing\/statements/, () => ({ delayMs: 150 }));
    const before = listOf(await rest('GET', '/data-tables?limit=100')).find(({ name }) => name === 'customers');
    const more = Array.from({ length: 7 }, (_, index) => ({
      customer_id: `f-${index}`,
      email: 'f@example.com',
      signed_up: '2026-01-01',
    }));
    expect((await rest('POST', `/data-tables/${String(before?.['id'])}/rows`, { rows: more })).status).toBe(201);
    const id = await idOf('examples/fan-out');
    const start = () => runAt(rest, id, 'Every month', { timestamp: '2026-11-01T04:00:00.000+01:00' });
    expect(dataOf(await start())).toMatchObject({ status: 'success' });
    await until('all statements', async () => (await rowsOf(rest, 'statements')).length === 10);
    expect(requestsTo('/billing').every(({ path }) => path.startsWith('/billing/statements/2026-10/'))).toBe(true);
    expect(services.mostAtOnce()).toBeLessThanOrEqual(5);
    await start();
    await until(
      'the second month has ended',
      async () => listOf(await rest('GET', `/executions?workflowId=${id}&status=running`)).length === 0,
    );
    expect(requestsTo('/billing')).toHaveLength(10);
  });

  it('error-alert posts one alert for a workflow that keeps failing, and mails it if the channel is down', async () => {
    const errorWorkflow = await idOf('examples/error-alert');
    const failing = async (path: string): Promise<void> => {
      const stop = node('Broken', 'stopAndError', 1, 200, {
        errorType: 'errorMessage',
        errorMessage: `${path} is broken`,
      });
      const file = chain(path, [node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path }), stop], { errorWorkflow });
      expect((await rest('POST', '/workflows', { ...file, active: true })).status).toBe(201);
    };
    const alertRuns = async () =>
      listOf(await rest('GET', `/executions?workflowId=${errorWorkflow}&status=success`)).length;
    await failing('examples-fail-a');
    await failing('examples-fail-b');
    for (const _ of [1, 2, 3]) await callWebhook(base, 'examples-fail-a', {});
    await until('three runs of the error workflow', async () => (await alertRuns()) === 3);
    expect(requestsTo('/alerts').map(({ body }) => body)).toEqual([
      { text: expect.stringMatching(/^Workflow "examples-fail-a" failed at "Broken": examples-fail-a is broken/) },
    ]);
    services.answer(/^POST \/alerts/, () => ({ status: 500 }));
    await callWebhook(base, 'examples-fail-b', {});
    const mailed = await until('the mail', async () => mailsTo('operators@example.com')[0]);
    expect(mailed.text).toContain('examples-fail-b is broken');
  });

  it('poll-with-cursor reads all pages once, and continues at the cursor', async () => {
    const id = await idOf('examples/poll-with-cursor');
    // Its schedule may be due at any moment.
    await rest('POST', `/workflows/${id}/deactivate`);
    const earlier = requestsTo('/crm/changes').length;
    services.answer(/^GET \/crm\/changes/, ({ path }) => {
      const after = new URL(path, 'http://crm').searchParams.get('after');
      if (after === '') return { body: { changes: [{ id: 'c-1', name: 'Ada' }], cursor: '1', more: true } };
      if (after === '1') return { body: { changes: [{ id: 'c-2', name: 'Grace' }], cursor: '2', more: false } };
      return { body: { changes: [], cursor: after, more: false } };
    });
    const poll = async () =>
      expect(dataOf(await runAt(rest, id, 'Every 5 minutes', { timestamp: '2026-11-29T02:30:00.000Z' }))).toMatchObject(
        { status: 'success' },
      );
    await poll();
    await poll();
    expect(await rowsOf(rest, 'contacts')).toEqual([
      { contact_id: 'c-1', name: 'Ada' },
      { contact_id: 'c-2', name: 'Grace' },
    ]);
    const cursors = requestsTo('/crm/changes')
      .slice(earlier)
      .map(({ path }) => new URL(path, 'http://crm').searchParams.get('after'));
    expect(cursors).toEqual(['', '1', '2']);
  });

  it('github-webhook deploys pushes to main that GitHub signed, once each', async () => {
    const send = (event: string, body: object, secret: string = SECRETS.github): Promise<RestAnswer> =>
      callWebhook(base, 'examples/github', body, {
        'x-github-event': event,
        'x-github-delivery': createHmac('sha256', 'id').update(JSON.stringify(body)).digest('hex'),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')}`,
      });
    const push = (ref: string) => ({ ref, after: 'abc123', repository: { full_name: 'acme/shop' } });
    const runs = [await send('push', push('refs/heads/main')), await send('push', push('refs/heads/main'))].map(
      executionOf,
    );
    expect(runs[0]).toBe(runs[1]);
    for (const answer of [await send('push', push('refs/heads/draft')), await send('ping', { zen: 'Keep it simple.' })])
      expect(await endOf(rest, executionOf(answer))).toMatchObject({ status: 'success' });
    expect(await endOf(rest, runs[0] ?? '')).toMatchObject({ status: 'success' });
    expect(requestsTo('/deploy').map(({ body }) => body)).toEqual([{ repository: 'acme/shop', commit: 'abc123' }]);
    expect((await send('push', push('refs/heads/main'), 'another secret')).status).toBe(403);
  });

  it('slow-services asks both at once, and answers without the one that is too slow', async () => {
    services.answer(/^GET \/crm\/customers/, () => ({ body: { name: 'Ada' }, delayMs: 300 }));
    services.answer(/^GET \/shop\/customers/, () => ({ body: [{ id: 'o-1' }], delayMs: 300 }));
    const ask = () => callWebhook(base, 'examples/customers/c-1', undefined, CALLERS, 'GET');
    const began = performance.now();
    const full = await ask();
    expect([full.status, full.json]).toEqual([200, { profile: { name: 'Ada' }, orders: [{ id: 'o-1' }], missing: [] }]);
    expect(performance.now() - began).toBeLessThan(10_000);
    services.answer(/^GET \/shop\/customers/, () => ({ delayMs: 30_000 }));
    const partial = await ask();
    expect([partial.status, partial.json]).toEqual([
      200,
      { profile: { name: 'Ada' }, orders: null, missing: ['orders'] },
    ]);
    services.answer(/^GET \/crm\/customers/, () => ({ status: 500 }));
    expect((await ask()).status).toBe(503);
  });

  it('form-upload keeps the receipt and records the claim once', async () => {
    const address = `${base}/form/examples/claim`;
    const page = await (await fetch(address)).text();
    const [, name = '', value = ''] = /<input type="hidden" name="([^"]+)" value="([^"]+)"/.exec(page) ?? [];
    const send = async (): Promise<void> => {
      const form = new FormData();
      form.set(name, value);
      ['ada@example.com', '12.5', 'Train'].forEach((text, index) => form.set(`field-${index}`, text));
      form.set('field-3', new Blob(['%PDF-1.4'], { type: 'application/pdf' }), 'my receipt.pdf');
      expect((await fetch(address, { method: 'POST', body: form })).status).toBe(200);
    };
    await send();
    await send();
    const [claim] = await until('the claim', async () => {
      const rows = await rowsOf(rest, 'claims');
      return rows.length > 0 ? rows : undefined;
    });
    expect(claim).toMatchObject({ email: 'ada@example.com', amount: 12.5, purpose: 'Train', status: 'open' });
    expect(claim?.['receipt']).toMatch(/^claims\/.+-my_receipt\.pdf$/);
    expect(await rowsOf(rest, 'claims')).toHaveLength(1);
  });

  it('schedule-backfill counts each day of a past period once', async () => {
    const id = await idOf('examples/schedule-backfill');
    const period = { from: '2026-11-27T12:00:00Z', to: '2026-11-30T00:00:00Z' };
    const counts = [
      { day: '2026-11-27', signups: 1 },
      { day: '2026-11-28', signups: 2 },
      { day: '2026-11-29', signups: 0 },
    ];
    for (const existing of [0, 3]) {
      const { id: backfill } = dataOf(await rest('POST', `/workflows/${id}/backfill`, period));
      await until('the backfill has ended', async () => {
        const all = listOf(await rest('GET', `/workflows/${id}/backfills`));
        const one = all.find((each) => each['id'] === backfill);
        return one?.['state'] !== 'running' && one?.['existing'] === existing;
      });
      await until('all days', async () => (await rowsOf(rest, 'daily_signups')).length === 3);
    }
    const rows = await rowsOf(rest, 'daily_signups');
    expect(rows.toSorted((one, other) => String(one['day']).localeCompare(String(other['day'])))).toEqual(counts);
  });

  it('migrated-from-n8n runs an unchanged export, with the credentials of this instance', async () => {
    const send = (body: object) => callWebhook(base, 'examples/leads', body, CALLERS);
    const lead = await send({ email: ' Ada@Example.com ', company: 'Analytical Engines', employees: 500 });
    expect([lead.status, lead.json]).toEqual([200, { email: 'ada@example.com' }]);
    await send({ email: 'grace@example.com', company: 'Small', employees: 3 });
    const asked = services.requests.filter(({ path }) => /^\/crm\/(deals|newsletter)/.test(path));
    expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/crm/deals/ada%40example.com', 'Bearer internal'],
      ['/crm/newsletter/grace%40example.com', 'Bearer internal'],
    ]);
  });
});

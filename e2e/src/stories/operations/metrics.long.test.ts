import { borrowStack, freePorts, giveStackBack, SERVICES, type ServiceName, type Stack } from '@weft/local-stack';
import { DASHBOARDS, MONITORING, readAlerts, readDashboard } from '../../deploy/monitoring';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { scrape, type Metric } from '../../support/metrics';
import { NAMESPACE, PROMETHEUS, startPrometheus, type Prometheus } from '../../support/stand-ins/prometheus';
import { callWebhook, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(__dirname, '../../../../../docs');
const read = (page: string): string => readFileSync(join(DOCS, page), 'utf8');

const ALL = SERVICES;
const GRPC: readonly ServiceName[] = ['credentials', 'workflows', 'executions'];
const STORES: readonly ServiceName[] = GRPC;
const CALLERS: readonly ServiceName[] = ['gateway', 'workflows', 'executions', 'runner'];

/** Section 3.2 of the findings of operations: each metric, its processes, its labels and its maximum series. */
const ROWS: readonly (readonly [
  name: string,
  services: readonly ServiceName[],
  labels: readonly string[],
  most: number,
])[] = [
  ['weft_build_info', ALL, ['commit', 'service', 'version'], 1],
  ['process_cpu_seconds_total', ALL, [], 1],
  ['process_resident_memory_bytes', ALL, [], 1],
  ['nodejs_eventloop_lag_p99_seconds', ALL, [], 1],
  ['nodejs_heap_size_used_bytes', ALL, [], 1],
  ['nodejs_gc_duration_seconds', ALL, ['kind'], 5],
  ['weft_ready', ALL, ['check'], 3],
  ['weft_loop_last_turn_timestamp_seconds', [...GRPC, 'runner'], ['loop'], 14],
  ['weft_loop_interval_seconds', [...GRPC, 'runner'], ['loop'], 14],
  ['http_server_request_duration_seconds', ['gateway'], ['class', 'route'], 4 * 100],
  ['http_server_active_requests', ['gateway'], [], 1],
  ['weft_gateway_body_bytes', ['gateway'], [], 1],
  ['weft_requests_refused_total', ['gateway'], ['reason'], 12],
  ['grpc_server_handled_total', GRPC, ['grpc_code', 'grpc_method', 'grpc_service'], 60 * 8],
  ['grpc_server_handling_seconds', GRPC, ['grpc_method', 'grpc_service'], 60],
  ['grpc_client_handled_total', CALLERS, ['grpc_code', 'target'], 5 * 17],
  ['grpc_client_handling_seconds', CALLERS, ['target'], 5],
  ['weft_breaker_state', ['gateway', ...GRPC], ['target'], 5],
  ['weft_breaker_rejected_total', ALL, ['target', 'why'], 10],
  ['weft_grpc_endpoints', ALL, ['state', 'target'], 25],
  ['weft_executions_started_total', ['executions'], ['mode'], 6],
  ['weft_executions_ended_total', ['executions'], ['reason', 'status'], 13],
  ['weft_execution_duration_seconds', ['executions'], ['status'], 4],
  ['weft_execution_queue_seconds', ['executions'], [], 1],
  ['weft_executions', ['executions'], ['state'], 3],
  ['weft_queue_oldest_seconds', ['executions'], [], 1],
  ['weft_lease_expired_total', ['executions'], [], 1],
  ['weft_executions_given_up_total', ['executions'], [], 1],
  ['weft_claims_released_total', ['executions'], ['why'], 2],
  ['weft_sweep_step_seconds', ['executions'], ['step'], 9],
  ['weft_sweep_failed_total', ['executions'], ['step'], 9],
  ['weft_queue_published_total', ['executions'], ['outcome'], 3],
  ['weft_nats_connected', ['executions', 'runner'], [], 1],
  ['weft_schedule_lag_seconds', ['workflows'], [], 1],
  ['weft_schedules_refused_total', ['workflows'], ['reason'], 6],
  ['weft_deliveries_pending', ['workflows'], [], 1],
  ['weft_delivery_oldest_seconds', ['workflows'], [], 1],
  ['weft_runner_slots', ['runner'], ['state'], 3],
  ['weft_claims_total', ['runner'], ['outcome'], 3],
  ['weft_node_run_seconds', ['runner'], ['kind', 'status'], 2 * 80],
  ['weft_sandbox', ['runner'], ['state'], 3],
  ['weft_sandbox_wait_seconds', ['runner'], [], 1],
  ['weft_sandbox_killed_total', ['runner'], ['why'], 3],
  ['weft_runner_watchdog_ends_total', ['runner'], ['process'], 4],
  ['weft_outbound_total', ['runner'], ['outcome'], 8],
  ['weft_model_call_failures_total', ['runner'], ['reason'], 18],
  ['weft_model_limits_total', ['runner'], ['limit'], 8],
  ['weft_agent_steps', ['runner'], [], 1],
  ['weft_store_seconds', STORES, ['operation', 'outcome'], 40],
  ['weft_store_connections', STORES, ['state'], 3],
  ['weft_store_bytes', STORES, ['collection'], 15],
  ['weft_auth_total', ['credentials'], ['kind', 'outcome'], 8],
  ['weft_sealed_items', ['credentials'], ['key'], 3],
];

/** Metrics that only exporters of a cluster and the operator have. */
const OF_A_CLUSTER = /^(?:container|kube|kubelet|weft_operator)_/;
/** Series that a process makes at the first event, which a healthy stack does not have. */
const NOT_IN_HEALTH: readonly string[] = [
  'http_server_request_duration_seconds_count{class="5xx"}',
  // Only with certificates: mutual-tls.long.test.ts.
  'weft_certificate_end_timestamp_seconds',
];
/** Panels that show data only if models are called, or something is wrong. */
const EMPTY_IN_HEALTH: readonly string[] = [
  'Tokens of models',
  'Calls of models',
  'Failed calls of models',
  'Firing alerts',
  'Failing node kinds',
  'Overdue loops',
];

const PATH = 'metrics/of-a-small-load';

const workflow = (url: string): WorkflowFile => ({
  name: 'a small load',
  nodes: [
    node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'lastNode' }),
    node('Clock', 'scheduleTrigger', 1.2, 0, { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } }),
    node('Code', 'code', 2, 200, { jsCode: 'return [{ json: { n: 1 } }];' }),
    node('Call', 'httpRequest', 4.2, 400, { method: 'POST', url }),
  ],
  connections: connect({ Hook: [['Code']], Clock: [['Code']], Code: [['Call']] }),
  settings: { executionOrder: 'v1' },
});

type Scrapes = Readonly<Record<ServiceName, ReadonlyMap<string, Metric>>>;

describe('the metrics of a running stack', () => {
  let stack: Stack;
  let server: LocalServer;
  let rest: Rest;
  let ports: Readonly<Record<ServiceName, number>>;
  let scrapes: Scrapes;
  let id: string;

  const scrapeAll = async (): Promise<Scrapes> => {
    const [gateway, workflows, executions, credentials, runner] = await Promise.all([
      scrape(ports.gateway),
      scrape(ports.workflows),
      scrape(ports.executions),
      scrape(ports.credentials),
      scrape(ports.runner),
    ]);
    return { gateway, workflows, executions, credentials, runner };
  };
  const sumOf = (service: ServiceName, name: string, labels: Readonly<Record<string, string>> = {}): number =>
    (scrapes[service].get(name)?.series ?? [])
      .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0);

  beforeAll(async () => {
    const [gateway = 0, workflows = 0, executions = 0, credentials = 0, runner = 0] = await freePorts(5);
    ports = { gateway, workflows, executions, credentials, runner };
    server = await startLocalServer({ ticket: 'T-1' });
    const env = Object.fromEntries(SERVICES.map((service) => [service, { METRICS_PORT: String(ports[service]) }]));
    stack = await borrowStack({ env });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    id = textOf(await rest('POST', '/workflows', { ...workflow(server.url), active: true }), 'id');
    for (let call = 0; call < 5; call += 1)
      expect((await callWebhook(stack.baseUrls[0] ?? '', PATH, { call })).status).toBe(200);
    expect((await rest('GET', '/executions/0198a5a0-0000-7000-8000-000000000000')).status).toBe(404);
    await until(
      'a scheduled run and the counts of the queue and the stores',
      async () => {
        scrapes = await scrapeAll();
        const hasAll = ROWS.every(([name, services]) =>
          services.every((service) => (scrapes[service].get(name)?.series.length ?? 0) > 0),
        );
        return hasAll && sumOf('workflows', 'weft_schedule_lag_seconds') > 0;
      },
      40_000,
    ).catch(() => undefined);
    await rest('POST', `/workflows/${id}/deactivate`);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
  });

  it.each(ROWS)('have %s of every process that it is about, with its labels and within its bound', (...row) => {
    const [name, services, labels, most] = row;
    const shown = services.map((service) => ({
      service,
      labels: scrapes[service].get(name)?.labels,
      isWithin: (scrapes[service].get(name)?.series.length ?? Infinity) <= most,
    }));
    expect(shown).toEqual(services.map((service) => ({ service, labels: [...labels], isWithin: true })));
  });

  it('count what the load did', () => {
    expect(sumOf('executions', 'weft_executions_started_total', { mode: 'webhook' })).toBeGreaterThanOrEqual(5);
    expect(sumOf('executions', 'weft_executions_started_total', { mode: 'trigger' })).toBeGreaterThanOrEqual(1);
    expect(
      sumOf('executions', 'weft_executions_ended_total', { status: 'success', reason: 'none' }),
    ).toBeGreaterThanOrEqual(5);
    expect(sumOf('executions', 'weft_execution_queue_seconds')).toBeGreaterThanOrEqual(5);
    expect(sumOf('runner', 'weft_claims_total', { outcome: 'won' })).toBeGreaterThanOrEqual(5);
    expect(sumOf('runner', 'weft_node_run_seconds', { kind: 'code', status: 'success' })).toBeGreaterThanOrEqual(5);
    expect(sumOf('runner', 'weft_outbound_total', { outcome: 'response' })).toBeGreaterThanOrEqual(5);
    expect(sumOf('runner', 'weft_sandbox_wait_seconds')).toBeGreaterThanOrEqual(5);
    expect(sumOf('credentials', 'weft_auth_total', { kind: 'api_key', outcome: 'accepted' })).toBeGreaterThanOrEqual(1);
    expect(sumOf('gateway', 'weft_requests_refused_total', { reason: 'not_found' })).toBeGreaterThanOrEqual(1);
    expect(sumOf('gateway', 'grpc_client_handled_total', { target: 'executions', grpc_code: 'OK' })).toBeGreaterThan(0);
    expect(sumOf('gateway', 'weft_grpc_endpoints', { target: 'executions', state: 'ready' })).toBeGreaterThan(0);
    expect(sumOf('executions', 'weft_ready', { check: 'broker' })).toBe(1);
  });

  it('name every process that another one calls', () => {
    const targets = ALL.flatMap((service) => scrapes[service].get('weft_grpc_endpoints')?.series ?? []).map(
      ({ labels: { target } }) => target,
    );
    expect([...new Set(targets)].sort()).toEqual(['credentials', 'executions', 'runner', 'workflows']);
  });

  it('are those that the guide describes, and all that operating pages name', () => {
    const shown = new Set(ALL.flatMap((service) => [...scrapes[service].keys()]));
    const described = [...read('guides/metrics.md').matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
      ([, names = '']) => names.replaceAll('`', '').split(', '),
    );
    expect(described.sort()).toEqual([...shown].filter((name) => !/^(?:process|nodejs)_/.test(name)).sort());
    const named = readdirSync(join(DOCS, 'operations')).flatMap((page) => [
      ...read(`operations/${page}`).matchAll(/\b(?:weft|(?:grpc|http)_(?:server|client)|nodejs)_\w+/g),
    ]);
    const metrics = named.map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''));
    // databases of check:store
    const others = ['weft_check_'];
    expect(metrics.filter((name) => !shown.has(name) && !others.includes(name))).toEqual([]);
  });

  it('name routes by their templates, never by the addresses that were asked for', () => {
    const routes = (scrapes.gateway.get('http_server_request_duration_seconds')?.series ?? []).map(
      ({ labels: { route } }) => route,
    );
    expect(routes).toEqual(expect.arrayContaining(['/webhook/*', '/api/v1/workflows', '/api/v1/executions/:id']));
    expect(routes.filter((route) => route?.includes(PATH) === true || /[0-9a-f]{8}-/.test(route ?? ''))).toEqual([]);
  });

  // Needs the programs of Prometheus, which are set up on Debian machines only: PROMETHEUS is unset elsewhere.
  (PROMETHEUS === '' ? describe.skip : describe)('in a Prometheus that scrapes the stack', () => {
    let prometheus: Prometheus;
    const isEmpty = async (query: string): Promise<boolean> => (await prometheus.query(query)).length === 0;
    /** Number of scrapes of the least scraped process. */
    const scrapesOfEach = async (): Promise<number> => {
      const counts = await prometheus.query('count_over_time(process_cpu_seconds_total[5m])');
      return counts.length < SERVICES.length ? 0 : Math.min(...counts.map(({ value: [, count] }) => Number(count)));
    };
    const filledIn = (query: string): string =>
      query.replaceAll('$namespace', NAMESPACE).replaceAll('$__rate_interval', '1m');

    beforeAll(async () => {
      prometheus = await startPrometheus(ports, join(MONITORING, 'alerts.yaml'));
      await until('a scrape of each process', async () => (await scrapesOfEach()) > 0);
      await rest('POST', `/workflows/${id}/activate`);
      expect((await callWebhook(stack.baseUrls[0] ?? '', PATH, {})).status).toBe(200);
      await rest('POST', `/workflows/${id}/deactivate`);
      await until('the end of that run', async () => {
        return !(await isEmpty('sum(rate(weft_executions_ended_total[1m])) > 0'));
      });
      const before = await scrapesOfEach();
      await until('another scrape of each process', async () => (await scrapesOfEach()) > before + 1);
      await until('a turn of the rules', async () =>
        (await prometheus.rules()).every(({ health }) => health !== 'unknown'),
      );
    });
    afterAll(() => prometheus?.stop());

    it('have every alert evaluated without an error', async () => {
      const rules = await prometheus.rules();
      expect(rules.map(({ name }) => name)).toEqual(readAlerts().map(({ alert }) => alert));
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    });

    it.each(readAlerts())('have the series that $alert is about', async ({ expr }) => {
      const selectors = expr.match(/\b(?:weft|http|grpc|nodejs|container|kube|kubelet)_\w+(?:\{[^}]*\})?/g) ?? [];
      expect(selectors.length).toBeGreaterThan(0);
      const empty: string[] = [];
      for (const selector of new Set(selectors)) if (await isEmpty(selector)) empty.push(selector);
      expect(empty.filter((selector) => !OF_A_CLUSTER.test(selector) && !NOT_IN_HEALTH.includes(selector))).toEqual([]);
    });

    it.each(DASHBOARDS)('answer every query of the dashboard %s', async (name) => {
      const empty: string[] = [];
      for (const { title, targets } of readDashboard(name).panels)
        for (const { expr } of targets) if (await isEmpty(filledIn(expr))) empty.push(title);
      expect(empty.filter((title) => !EMPTY_IN_HEALTH.includes(title))).toEqual([]);
    });
  });
});

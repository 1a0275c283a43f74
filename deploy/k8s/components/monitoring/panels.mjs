// Panels of the dashboards: [title, unit, [legend, query]...]. A query is narrowed to $namespace; $__rate_interval is
// Grafana's. make.mjs turns them into Grafana's JSON. `answer` is a first row of single figures, red from `bad` on (or
// below it, with isGoodAbove); each query has one value in a healthy instance too.
const by = (labels) => `sum by (${labels})`;
const rate = (series) => `rate(${series}[$__rate_interval])`;
const quantile = (of, series, ...labels) =>
  `histogram_quantile(${of}, ${by(['le', ...labels].join(', '))} (${rate(series)}))`;
const ns = (metric, ...matchers) => `${metric}{${['namespace=~"$namespace"', ...matchers].join(', ')}}`;

const INGRESSES = '/webhook.*|/form.*';
const requests = (matcher) => ns('http_server_request_duration_seconds_count', matcher);
const requestTimes = (matcher) => ns('http_server_request_duration_seconds_bucket', matcher);
const OVERDUE_AT = `${ns('weft_loop_last_turn_timestamp_seconds')} + ${ns('weft_loop_interval_seconds')}`;

const ended = (matcher) => ns('weft_executions_ended_total', matcher);
/** Share of one counter in another, 0 if neither has grown. */
const shareOf = (range, part, whole) =>
  `(sum(rate(${part}[${range}])) or vector(0)) / (sum(rate(${whole}[${range}])) > 0) or vector(0)`;

export const DASHBOARDS = {
  overview: {
    title: 'Weft: overview',
    answer: {
      question: 'Is it working?',
      stats: [
        {
          title: 'Firing alerts',
          description: 'Alerts of Weft that fire now. The panel "Firing alerts" below names them; each has a runbook.',
          unit: 'short',
          bad: 1,
          query: 'count(ALERTS{alertname=~"Weft.+", alertstate="firing", namespace=~"$namespace"}) or vector(0)',
        },
        {
          title: 'Services that are ready',
          description: 'Of five: services with at least one replica that answers. Red below five.',
          unit: 'short',
          bad: 5,
          isGoodAbove: true,
          query: `count(count by (service) (${ns('weft_build_info')}))`,
        },
        {
          title: 'Requests answered with 5xx',
          description: 'Share of all requests, webhooks and forms included, in five minutes.',
          unit: 'percentunit',
          bad: 0.02,
          query: shareOf('5m', requests('class="5xx"'), ns('http_server_request_duration_seconds_count')),
        },
        {
          title: 'Executions that failed',
          description: 'Share of those that ended in 15 minutes, without cancelled ones.',
          unit: 'percentunit',
          bad: 0.1,
          query: shareOf('15m', ended('status=~"error|crashed"'), ended('status!="cancelled"')),
        },
        {
          title: 'Oldest queued execution',
          description: 'Time for which an execution has been waiting for a runner.',
          unit: 's',
          bad: 60,
          query: `max(${ns('weft_queue_oldest_seconds')})`,
        },
        {
          title: 'Oldest stored webhook call',
          description: 'Time for which a call that could not be started has been waiting.',
          unit: 's',
          bad: 300,
          query: `max(${ns('weft_delivery_oldest_seconds')})`,
        },
        {
          title: 'Event subscriptions that fail',
          description: 'Subscriptions whose receiver fails, or that Weft has paused.',
          unit: 'short',
          bad: 1,
          query: `sum(${ns('weft_event_subscriptions', 'state=~"failing|paused"')}) or vector(0)`,
        },
      ],
    },
    panels: [
      ['REST requests by class', 'reqps', ['{{class}}', `${by('class')} (${rate(requests(`route!~"${INGRESSES}"`))})`]],
      [
        'REST time',
        's',
        ['p50', quantile(0.5, requestTimes(`route!~"${INGRESSES}"`))],
        ['p95', quantile(0.95, requestTimes(`route!~"${INGRESSES}"`))],
        ['p99', quantile(0.99, requestTimes(`route!~"${INGRESSES}"`))],
      ],
      [
        'Webhooks and forms by class',
        'reqps',
        ['{{class}}', `${by('class')} (${rate(requests(`route=~"${INGRESSES}"`))})`],
      ],
      ['Webhook and form time', 's', ['p95', quantile(0.95, requestTimes(`route=~"${INGRESSES}"`))]],
      ['Requests refused', 'reqps', ['{{reason}}', `${by('reason')} (${rate(ns('weft_requests_refused_total'))})`]],
      ['Age of the oldest queued execution', 's', ['oldest', `max(${ns('weft_queue_oldest_seconds')})`]],
      ['Executions not ended', 'short', ['{{state}}', `max by (state) (${ns('weft_executions')})`]],
      ['Executions started', 'ops', ['{{mode}}', `${by('mode')} (${rate(ns('weft_executions_started_total'))})`]],
      [
        'Executions ended',
        'ops',
        ['{{status}} {{reason}}', `${by('status, reason')} (${rate(ns('weft_executions_ended_total'))}) > 0`],
      ],
      [
        'Breakers (2 is open)',
        'short',
        ['{{job}} to {{target}}', `max by (job, target) (${ns('weft_breaker_state')})`],
      ],
      ['Ready replicas', 'short', ['{{job}} {{check}}', `${by('job, check')} (${ns('weft_ready')})`]],
      [
        'Versions',
        'short',
        ['{{service}} {{version}} {{commit}}', `count by (service, version, commit) (${ns('weft_build_info')})`],
      ],
      [
        'Firing alerts',
        'short',
        [
          '{{alertname}}',
          'count by (alertname) (ALERTS{alertname=~"Weft.+", alertstate="firing", namespace=~"$namespace"})',
        ],
      ],
    ],
  },
  executions: {
    title: 'Weft: executions and runners',
    panels: [
      ['Time in the queue', 's', ['p95', quantile(0.95, ns('weft_execution_queue_seconds_bucket'))]],
      ['Duration', 's', ['{{status}} p95', quantile(0.95, ns('weft_execution_duration_seconds_bucket'), 'status')]],
      ['Leases expired', 'ops', ['expired', `sum(${rate(ns('weft_lease_expired_total'))})`]],
      [
        'Crashed and released',
        'ops',
        ['abandoned', `sum(${rate(ns('weft_executions_given_up_total'))})`],
        ['{{why}}', `${by('why')} (${rate(ns('weft_claims_released_total'))})`],
      ],
      [
        'Published to the queue',
        'ops',
        ['{{outcome}}', `${by('outcome')} (${rate(ns('weft_queue_published_total'))})`],
      ],
      ['Background work', 's', ['{{step}} p95', quantile(0.95, ns('weft_sweep_step_seconds_bucket'), 'step')]],
      ['Background work failed', 'ops', ['{{step}}', `${by('step')} (${rate(ns('weft_sweep_failed_total'))})`]],
      ['Lateness of schedules', 's', ['p95', quantile(0.95, ns('weft_schedule_lag_seconds_bucket'))]],
      ['Schedules refused', 'ops', ['{{reason}}', `${by('reason')} (${rate(ns('weft_schedules_refused_total'))})`]],
      ['Runner slots', 'short', ['{{state}}', `${by('state')} (${ns('weft_runner_slots')})`]],
      ['Claims', 'ops', ['{{outcome}}', `${by('outcome')} (${rate(ns('weft_claims_total'))})`]],
      [
        'Slowest node kinds',
        's',
        ['{{kind}}', `topk(10, ${quantile(0.95, ns('weft_node_run_seconds_bucket'), 'kind')})`],
      ],
      [
        'Failing node kinds',
        'ops',
        ['{{kind}}', `topk(10, ${by('kind')} (${rate(ns('weft_node_run_seconds_count', 'status="error"'))}) > 0)`],
      ],
      ['Code in sandboxes', 'short', ['{{state}}', `${by('state')} (${ns('weft_sandbox')})`]],
      ['Wait for a sandbox', 's', ['p95', quantile(0.95, ns('weft_sandbox_wait_seconds_bucket'))]],
      ['Sandboxes killed', 'ops', ['{{why}}', `${by('why')} (${rate(ns('weft_sandbox_killed_total'))})`]],
      [
        'Ends by watchdogs',
        'ops',
        ['{{process}}', `${by('process')} (${rate(ns('weft_runner_watchdog_ends_total'))})`],
      ],
      ['Outbound requests', 'reqps', ['{{outcome}}', `${by('outcome')} (${rate(ns('weft_outbound_total'))})`]],
      [
        'Tokens of models',
        'short',
        ['{{provider}} {{direction}}', `${by('provider, direction')} (${rate(ns('weft_model_tokens_total'))})`],
      ],
      ['Calls of models', 's', ['{{provider}} p95', quantile(0.95, ns('weft_model_call_seconds_bucket'), 'provider')]],
      [
        'Failed calls of models',
        'ops',
        ['{{reason}}', `${by('reason')} (${rate(ns('weft_model_call_failures_total'))}) > 0`],
      ],
      ['Limits of models reached', 'ops', ['{{limit}}', `${by('limit')} (${rate(ns('weft_model_limits_total'))})`]],
      ['Steps of agents', 'short', ['p95', quantile(0.95, ns('weft_agent_steps_bucket'))]],
    ],
  },
  dependencies: {
    title: 'Weft: dependencies and processes',
    panels: [
      [
        'Store commands',
        'ops',
        ['{{job}} {{outcome}}', `${by('job, outcome')} (${rate(ns('weft_store_seconds_count'))})`],
      ],
      ['Store time', 's', ['{{job}} p95', quantile(0.95, ns('weft_store_seconds_bucket'), 'job')]],
      ['Store connections', 'short', ['{{job}} {{state}}', `${by('job, state')} (${ns('weft_store_connections')})`]],
      ['Size of the stores', 'bytes', ['{{collection}}', `max by (collection) (${ns('weft_store_bytes')})`]],
      ['NATS connections', 'short', ['{{job}}', `${by('job')} (${ns('weft_nats_connected')})`]],
      [
        'gRPC calls answered',
        'reqps',
        ['{{job}} {{grpc_code}}', `${by('job, grpc_code')} (${rate(ns('grpc_server_handled_total'))}) > 0`],
      ],
      ['gRPC time', 's', ['{{job}} p95', quantile(0.95, ns('grpc_server_handling_seconds_bucket'), 'job')]],
      [
        'gRPC calls made',
        'reqps',
        ['{{job}} to {{target}}', `${by('job, target')} (${rate(ns('grpc_client_handled_total'))})`],
      ],
      [
        'gRPC time of callers',
        's',
        ['to {{target}} p95', quantile(0.95, ns('grpc_client_handling_seconds_bucket'), 'target')],
      ],
      [
        'Calls not sent',
        'ops',
        ['{{target}} {{why}}', `${by('target, why')} (${rate(ns('weft_breaker_rejected_total'))})`],
      ],
      [
        'Connections to replicas',
        'short',
        ['{{job}} to {{target}} {{state}}', `${by('job, target, state')} (${ns('weft_grpc_endpoints')}) > 0`],
      ],
      ['Authentications', 'ops', ['{{kind}} {{outcome}}', `${by('kind, outcome')} (${rate(ns('weft_auth_total'))})`]],
      ['Credentials by master key', 'short', ['{{key}}', `max by (key) (${ns('weft_sealed_items')})`]],
      ['CPU', 'percentunit', ['{{job}}', `${by('job')} (${rate(ns('process_cpu_seconds_total'))})`]],
      ['Memory', 'bytes', ['{{job}}', `max by (job) (${ns('process_resident_memory_bytes')})`]],
      ['Heap', 'bytes', ['{{job}}', `max by (job) (${ns('nodejs_heap_size_used_bytes')})`]],
      ['Bodies in the gateway', 'bytes', ['held', `sum(${ns('weft_gateway_body_bytes')})`]],
      ['Requests in progress', 'short', ['{{job}}', `${by('job')} (${ns('http_server_active_requests')})`]],
      ['Event loop lag', 's', ['{{job}} p99', `max by (job) (${ns('nodejs_eventloop_lag_p99_seconds')})`]],
      [
        'Garbage collection',
        'percentunit',
        ['{{job}}', `${by('job')} (${rate(ns('nodejs_gc_duration_seconds_sum'))})`],
      ],
      ['Overdue loops', 's', ['{{job}} {{loop}}', `time() - max by (job, loop) (${OVERDUE_AT}) > 5`]],
    ],
  },
};

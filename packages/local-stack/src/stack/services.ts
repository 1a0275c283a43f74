/** The five services, in the order in which they are started; they are stopped in the reverse order. */
export const SERVICES = ['credentials', 'workflows', 'executions', 'runner', 'gateway'] as const;

/** Name of one of our processes: that of its folder under `services`. */
export type ServiceName = (typeof SERVICES)[number];

/**
 * Flags of Node with which a service runs, here as in its image. V8's old generation may grow by 300 per cent of what a
 * collection has left before the next one: V8 alone allows little more than the live data, and counts in it what
 * buffers take outside of the heap, so a service with small messages marks all of its heap several times a second.
 */
export const SERVICE_NODE_FLAGS: readonly string[] = ['--heap-growing-percent=300'];

/**
 * Flags for V8's young generation under `npm start`. 16 MiB is the maximum of the deployed services; V8's default of
 * 32 MiB and more costs the gateway a quarter more CPU. The runner starts with 16 MiB and may grow: a thousand items in
 * flight outlive a smaller one.
 */
export const youngGenerationFlags = (service: ServiceName): readonly string[] =>
  service === 'runner' ? ['--min-semi-space-size=16'] : ['--max-semi-space-size=16'];

/**
 * Port of each process under `npm start`, and the variable that changes it. The gateway speaks HTTP, the others
 * gRPC.
 */
export const FIXED_PORTS: Readonly<Record<ServiceName, { readonly port: number; readonly variable: string }>> = {
  gateway: { port: 8080, variable: 'PORT' },
  workflows: { port: 7001, variable: 'WORKFLOWS_PORT' },
  executions: { port: 7002, variable: 'EXECUTIONS_PORT' },
  credentials: { port: 7003, variable: 'CREDENTIALS_PORT' },
  runner: { port: 7004, variable: 'RUNNER_PORT' },
};

/** Makes one value for each service. */
export function forEachService<T>(make: (service: ServiceName) => T): Record<ServiceName, T> {
  return {
    credentials: make('credentials'),
    workflows: make('workflows'),
    executions: make('executions'),
    runner: make('runner'),
    gateway: make('gateway'),
  };
}

import type { NodeContext } from '@weft/engine';
import type { ChatModelDeps } from '@weft/models';

/** The ports of a client for models: with the clock and the signal of the run, and without its secrets in responses. */
export const modelPorts = (context: NodeContext): Omit<Required<ChatModelDeps>, 'random'> => ({
  http: context.ports.streams,
  withoutSecrets: (json) => context.withoutSecrets(json),
  sleep: (ms, signal = context.signal) => context.ports.clock.sleep(ms, signal),
});

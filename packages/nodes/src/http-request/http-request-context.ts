import type { NodeContext, NodePorts } from '@weft/engine';

/** What the node needs of its run. */
export interface HttpRequestContext extends Pick<
  NodeContext,
  | 'node'
  | 'version'
  | 'executionId'
  | 'runIndex'
  | 'items'
  | 'parameter'
  | 'jsonParameter'
  | 'rawParameter'
  | 'continueOnFail'
  | 'credential'
  | 'hide'
  | 'signal'
> {
  readonly ports: Pick<NodePorts, 'http' | 'clock'>;
}

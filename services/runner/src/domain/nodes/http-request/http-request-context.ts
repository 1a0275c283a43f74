import type { NodeContext } from '../../engine/node';
import type { NodePorts } from '../../engine/ports';

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

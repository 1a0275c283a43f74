import type { NodeContext, NodePorts } from '@weft/engine';

/** The part of a node run that requests need. */
export interface RequestContext extends Pick<
  NodeContext,
  | 'node'
  | 'version'
  | 'executionId'
  | 'runIndex'
  | 'items'
  | 'pause'
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

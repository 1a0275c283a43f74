import type { LinkRef, NodeBox, Port } from '@weft/workflow-edit';
import { nounOf } from '../operations/attachments';

/** A port of a node that a new link can begin at. */
export interface LinkEndChoice {
  readonly key: string;
  readonly text: string;
  readonly port: Port;
  /** True if the link leads to the node: it uses what is connected here. */
  readonly isInput: boolean;
}

const nameOf = ({ index, label }: Port): string => label ?? String(index + 1);

/** All outputs of a node, and its inputs for sub-nodes. Inputs of items are chosen at the other node. */
export const endsOf = ({ inputs, outputs }: Pick<NodeBox, 'inputs' | 'outputs'>): readonly LinkEndChoice[] => [
  ...outputs.map((port) => ({
    key: `out ${port.type} ${port.index}`,
    text: port.type === 'main' ? nameOf(port) : `use it as ${nounOf(port.type)} of`,
    port,
    isInput: false,
  })),
  ...inputs
    .filter(({ type }) => type !== 'main')
    .map((port) => ({
      key: `in ${port.type} ${port.index}`,
      text: `${nameOf(port)}${port.index > 0 ? ` ${port.index + 1}` : ''}`,
      port,
      isInput: true,
    })),
];

/** Ports of another node that fit an end. */
export const fittingPorts = (box: NodeBox | undefined, { port, isInput }: LinkEndChoice): readonly Port[] =>
  ((isInput ? box?.outputs : box?.inputs) ?? []).filter(({ type }) => type === port.type);

/** The link between a node's end and a port of another node. */
export const linkBetween = (node: string, end: LinkEndChoice, other: string, port: number): Required<LinkRef> => {
  const { type, index } = end.port;
  return end.isInput
    ? { from: other, output: port, to: node, input: index, type }
    : { from: node, output: index, to: other, input: port, type };
};

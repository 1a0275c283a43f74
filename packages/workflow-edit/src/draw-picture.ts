import { descriptorAmong, type KindTable, type WorkflowDefinition } from '@weft/node-catalogue/definitions';
import { layOut, type NodeBox, type Port } from './layout';

const MARGIN = 40;
/** Characters that fit into a node. */
const MAX_TEXT = 26;

const STYLE = `
    .page { fill: #ffffff; }
    .node { fill: #f6f8fa; stroke: #57606a; }
    .trigger { stroke: #1a7f37; stroke-width: 2; }
    .line { fill: none; stroke: #57606a; stroke-width: 1.5; }
    .head { fill: #57606a; }
    text { fill: #1f2328; font: 13px -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
    .small { font-size: 11px; fill: #57606a; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; }
      .node { fill: #161b22; stroke: #8b949e; }
      .trigger { stroke: #3fb950; }
      .line { stroke: #8b949e; }
      .head { fill: #8b949e; }
      text { fill: #e6edf3; }
      .small { fill: #8b949e; }
    }
  `;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
const fitting = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

const portOf = (ports: readonly Port[], type: string, index: number): Port | undefined =>
  ports.find((port) => port.type === type && port.index === index);

/** A curve from an output to an input; one that leads back passes below both nodes, one of a sub-node leads up. */
const curve = (from: NodeBox, output: Port, to: NodeBox, input: Port): string => {
  const [x1, y1, x2, y2] = [from.x + output.x, from.y + output.y, to.x + input.x - 2, to.y + input.y];
  if (output.type !== 'main') {
    const bend = Math.max(24, Math.abs(y2 - y1) / 2);
    return `M${x1} ${y1}C${x1} ${y1 - bend} ${x2} ${y2 + bend} ${x2} ${y2}`;
  }
  if (x2 > x1) {
    const bend = Math.max(24, (x2 - x1) / 2);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const below = Math.max(from.y + from.height, to.y + to.height) + 20;
  return [
    `M${x1} ${y1}C${x1 + 40} ${y1} ${x1 + 40} ${below} ${x1} ${below}`,
    `L${x2} ${below}C${x2 - 40} ${below} ${x2 - 40} ${y2} ${x2} ${y2}`,
  ].join('');
};

const drawLinks = ({ connections }: WorkflowDefinition, boxes: ReadonlyMap<string, NodeBox>): readonly string[] =>
  Object.entries(connections).flatMap(([name, byType]) =>
    Object.entries(byType).flatMap(([type, outputs]) =>
      outputs.flatMap((ends, index) =>
        ends.flatMap((end) => {
          const [from, to] = [boxes.get(name), boxes.get(end.node)];
          if (from === undefined || to === undefined) return [];
          const [output, input] = [portOf(from.outputs, type, index), portOf(to.inputs, end.type, end.index)];
          if (output === undefined || input === undefined) return [];
          return [`<path class="line" d="${curve(from, output, to, input)}" marker-end="url(#arrow)" />`];
        }),
      ),
    ),
  );

const drawNode = (box: NodeBox, label: string, isTrigger: boolean): string => {
  const { x, y, width, height, head, name, outputs } = box;
  const middle = y + head / 2;
  const ports = outputs.flatMap((port) =>
    port.label === undefined
      ? []
      : [`<text class="small" x="${x + width + 6}" y="${y + port.y - 5}">${escaped(fitting(port.label))}</text>`],
  );
  return [
    `<rect class="node${isTrigger ? ' trigger' : ''}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6" />`,
    `<text x="${x + 14}" y="${middle - 3}">${escaped(fitting(name))}</text>`,
    `<text class="small" x="${x + 14}" y="${middle + 14}">${escaped(fitting(label))}</text>`,
    ...ports,
  ].join('');
};

/**
 * Draws the graph of a workflow as an SVG document for light and dark pages. Notes are left out. The same definition
 * has the same picture.
 */
export const drawPicture = (definition: WorkflowDefinition, kinds: KindTable): string => {
  const nodes = new Map(definition.nodes.map((node) => [node.name, node]));
  const descriptors = new Map([...nodes].map(([name, node]) => [name, descriptorAmong(node, kinds)]));
  const boxes = layOut(definition, kinds).filter(({ name }) => descriptors.get(name)?.kind !== 'stickyNote');
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const left = Math.min(...boxes.map(({ x }) => x), 0) - MARGIN;
  const top = Math.min(...boxes.map(({ y }) => y), 0) - MARGIN;
  const width = Math.max(...boxes.map((box) => box.x + box.width), 0) + MARGIN - left;
  const height = Math.max(...boxes.map((box) => box.y + box.height), 0) + MARGIN - top;
  const drawn = boxes.map((box) => {
    const descriptor = descriptors.get(box.name);
    const kind = nodes.get(box.name)?.type.replace(/^.*\./, '') ?? '';
    return drawNode(box, descriptor?.label ?? kind, descriptor?.isTrigger ?? false);
  });
  const size = `viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}"`;
  const label = escaped(`The graph of the workflow ${definition.name}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}">`,
    `  <style>${STYLE}</style>`,
    '  <defs>',
    '    <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
    '      <path class="head" d="M0 0 8 4 0 8z" />',
    '    </marker>',
    '  </defs>',
    `  <rect class="page" x="${left}" y="${top}" width="${width}" height="${height}" rx="8" />`,
    ...[...drawLinks(definition, byName), ...drawn].map((line) => `  ${line}`),
    '</svg>',
    '',
  ].join('\n');
};

import type { JsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import type { ExpressionScope } from '@weft/expressions';
import type { CodeInput, CodeItem, CodeNode, CodeStyle } from '@weft/sandbox';
import { copyNode } from './copy-node';
import type { InputFiles } from './input-files';
import { JsonWriter, listText } from './json-writer';
import { readMarks } from './kept-state';
import type { CodeSource } from './read-source';
import type { StaticData } from './static-data';

/** Limit in characters of all data that is copied into one run of code. */
const MAX_INPUT = 16_000_000;
/** Margin for the small parts. */
const MAX_SMALL_PARTS = 1_000_000;

/** Describes one call of the code. */
export interface CallForm {
  readonly style: CodeStyle;
  readonly perItem: boolean;
  /** Further names that the code sees, without the `_` of Python. */
  readonly variables?: JsonObject;
}

/** Input of code that does not use static data. */
const NO_STATIC_DATA: StaticData = { global: {}, node: {} };

/** The `CodeInput` of a node run as a JSON string. @throws NodeFailure if it is too large to be copied */
export async function buildInput(
  context: NodeContext,
  form: CallForm,
  source: CodeSource,
  files: InputFiles,
  staticData = NO_STATIC_DATA,
): Promise<string> {
  const current = currentItems(context);
  files.know(current);
  const items = source.readsFiles ? await files.withBytes(current) : current;
  const writer = new JsonWriter(MAX_INPUT);
  const scope = context.scope(0);
  const small = JSON.stringify({
    ...smallParts(context, form, scope, source),
    staticData: { global: staticData.global, node: staticData.node },
  });
  const list = listText(items, MAX_INPUT - MAX_SMALL_PARTS);
  if (small.length > MAX_SMALL_PARTS || list === undefined) throw tooLarge('The items are');
  writer.add(`${small.slice(0, -1)},"items":${list},"nodes":{`);
  addNodes(writer, context, form, source, files);
  writer.add('}}');
  return writer.toString();
}

/** The current items, each linked to itself, so that the origin of items that the code passes on is known. */
function currentItems(context: NodeContext): CodeItem[] {
  const input = context.itemsInput;
  return context.fullInput(input).map(({ json, binary }, item): CodeItem => {
    const pairedItem = input === 0 ? { item } : { item, input };
    return binary === undefined ? { json, pairedItem } : { json, binary: { ...binary }, pairedItem };
  });
}

/** Everything but the items and the other nodes. */
function smallParts(
  context: NodeContext,
  { style, perItem, variables }: CallForm,
  scope: ExpressionScope,
  source: CodeSource,
): Omit<CodeInput, 'items' | 'nodes' | 'staticData'> {
  const { prevNode, workflow, execution } = scope;
  const previous =
    prevNode === undefined
      ? {}
      : {
          ...(source.properties.has('params') ? { params: scope.nodeParameters(prevNode.name) } : {}),
          ...(source.properties.has('context') ? { context: scope.nodeContext(prevNode.name) } : {}),
        };
  return {
    style,
    perItem,
    itemCount: context.items.length,
    goesOn: context.continueOnFail,
    givesFirstOnly: prevNode !== undefined && scope.executesOnce(prevNode.name),
    node: { id: context.node.id, name: context.node.name, version: context.version, parameters: withoutCode(context) },
    runIndex: context.runIndex,
    timezone: context.timezone,
    workflow: { ...workflow },
    mode: context.mode,
    execution: executionOf(execution, source),
    ...(prevNode === undefined ? {} : { prevNode: { ...prevNode } }),
    previous,
    vars: { ...scope.vars },
    env: { ...scope.env },
    customData: readMarks(context),
    ...(variables === undefined ? {} : { variables }),
  };
}

/** The resume URLs only for code that may read them: creating them costs time and is recorded. */
function executionOf(execution: ExpressionScope['execution'], { nodes, text }: CodeSource): CodeInput['execution'] {
  const { id, mode } = execution;
  if (nodes !== 'all' && !/[$_]execution/.test(text)) return { id, mode };
  const { resumeUrl, resumeFormUrl } = execution;
  return {
    id,
    mode,
    ...(resumeUrl === undefined ? {} : { resumeUrl }),
    ...(resumeFormUrl === undefined ? {} : { resumeFormUrl }),
  };
}

function withoutCode({ node }: NodeContext): CodeInput['node']['parameters'] {
  const { jsCode: _jsCode, pythonCode: _pythonCode, functionCode: _functionCode, ...others } = node.parameters;
  return others;
}

function addNodes(
  writer: JsonWriter,
  context: NodeContext,
  { perItem }: CallForm,
  source: CodeSource,
  files: InputFiles,
): void {
  const scope = context.scope(0);
  const { properties, outputs } = source;
  const itemCount = context.fullInput(context.itemsInput).length;
  const asksAnyItem =
    perItem || source.nodes === 'all' || ['itemMatching', 'pairedItem', '$item'].some((name) => properties.has(name));
  const asksPaired =
    source.nodes === 'all' || ['item', 'itemMatching', 'pairedItem'].some((name) => properties.has(name));
  const wanted = {
    outputs,
    pairedItems: !asksPaired ? 0 : asksAnyItem ? itemCount : Math.min(1, itemCount),
    params: source.nodes === 'all' || properties.has('params') || properties.has('parameter'),
    context: source.nodes === 'all' || properties.has('context'),
  };
  const names = source.nodes === 'all' ? context.nodeNames : [...source.nodes];
  names.forEach((name, index) => {
    const key = `${index === 0 ? '' : ','}${JSON.stringify(name)}:`;
    const node = copyNode(scope, name, wanted);
    files.know(itemsOf(node));
    if (writer.room - MAX_SMALL_PARTS > 0 && writer.add(key + JSON.stringify(node))) return;
    if (source.nodes !== 'all') throw tooLarge(`The items of the node "${name}" are`);
    const error = {
      message: `The items of the node '${name}' are too many to be copied with those of all others`,
      description: `Name the nodes that the code needs: $('${name}').`,
    };
    writer.add(key + JSON.stringify({ isExecuted: node?.isExecuted ?? false, output: { error } } satisfies CodeNode));
  });
}

function itemsOf(node: CodeNode | null): CodeItem[] {
  const { output, choices = {}, paired = [] } = node ?? {};
  const lists = [output, ...Object.values(choices)].flatMap((list) =>
    list !== undefined && 'items' in list ? list.items : [],
  );
  return [
    ...lists,
    ...paired.flatMap((one) => (typeof one === 'object' && 'item' in one && one.item !== null ? [one.item] : [])),
  ];
}

function tooLarge(subject: string): NodeFailure {
  return new NodeFailure(`${subject} too large for code: together they may have ${MAX_INPUT} characters as JSON`, {
    description: 'Reduce the items or fields in a node before this one, or work in batches with Loop Over Items.',
  });
}

import { booleanField, listField, objectField, textField, type Json } from '@weft/service-kit/json';
import { idText, object, text } from '../../http/shape';
import { getNodeType, listNodeTypes } from '../../handlers/reference/node-types';
import { shownPart } from '../bounded-text';
import { OFFSET } from './arguments';
import { defineTool, HINTS, type McpTool, type ToolCall, textOfAnswer, windowResult } from './tool';

/** A kind as shown in the list. */
interface ShortType {
  readonly type: string;
  readonly description: string;
  readonly isTrigger?: true;
  /** The type of its tool, which models can call. */
  readonly tool?: string;
}

/** Kinds of other packages are named by the whole type. */
const typeOf = (kind: string): string => {
  if (kind.startsWith('langchain.')) return `@n8n/n8n-nodes-${kind}`;
  return kind.includes('.') ? kind : `n8n-nodes-base.${kind}`;
};

const shortOf = (descriptor: Json): ShortType[] => {
  if (booleanField(descriptor, 'neverRuns') === true) return [];
  const kind = textField(descriptor, 'kind') ?? '';
  return [
    {
      type: typeOf(kind),
      description: `${textField(descriptor, 'label') ?? ''}: ${textField(descriptor, 'description') ?? ''}`,
      ...(booleanField(descriptor, 'isTrigger') === true ? { isTrigger: true as const } : {}),
      ...(objectField(descriptor, 'usableAsTool') === undefined ? {} : { tool: `${typeOf(kind)}Tool` }),
    },
  ];
};

/** The list, parsed again only when the catalogue has changed. Rights are checked by each call. */
const createShortList = () => {
  let known: { readonly etag: string; readonly list: readonly ShortType[] } | undefined;
  return async ({ call }: ToolCall): Promise<readonly ShortType[]> => {
    const answer = await call(listNodeTypes, { headers: { 'if-none-match': known?.etag } });
    if (answer.status === 304 && known !== undefined) return known.list;
    const list = listField(JSON.parse(textOfAnswer(answer)), 'data').flatMap(shortOf);
    const etag = answer.headers?.['etag'];
    if (typeof etag === 'string') known = { etag, list };
    return list;
  };
};

const matches = ({ type, description }: ShortType, words: readonly string[]): boolean => {
  const shown = `${type} ${description}`.toLowerCase();
  return words.every((word) => shown.includes(word));
};

const readShortList = createShortList();

export const NODE_TYPE_TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'list_node_types',
    title: 'List node types',
    description:
      'Lists the node types that workflows can use, one line each; `tool` is the type that a model can call. Read ' +
      'the parameters of one with get_node_type before you use it.',
    hints: HINTS.reads,
    args: object({
      search: text({ description: 'Only types with all of these words in their name or description.' }),
      offset: OFFSET,
    }),
    run: async ({ search = '', offset = 0 }, call) => {
      const words = search
        .toLowerCase()
        .slice(0, 200)
        .split(/\s+/)
        .filter((word) => word !== '');
      const found = (await readShortList(call)).filter((one) => matches(one, words));
      const lines = found.map((one) => JSON.stringify(one)).join('\n');
      if (lines === '') return { text: 'No node type matches. Use fewer words, or none.' };
      return { text: shownPart(lines, offset) };
    },
  }),
  defineTool({
    name: 'get_node_type',
    title: 'Read a node type',
    description:
      'Returns all parameters of a node type, with types, defaults, choices and when they apply (`shownWhen`), its ' +
      'versions (`typeVersion`), outputs and credentials.',
    hints: HINTS.reads,
    args: object(
      { type: idText({ description: 'Such as n8n-nodes-base.httpRequest.' }), offset: OFFSET },
      { required: ['type'] },
    ),
    run: async ({ type = '', offset }, { call }) => windowResult(await call(getNodeType, { id: type }), offset),
  }),
];

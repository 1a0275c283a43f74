import type { Json, JsonObject } from '@weft/node-catalogue';
import { field, isJsonObject, listField, textField } from '@weft/node-catalogue';
import {
  type InstanceAnswer,
  type InstanceCall,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  output,
} from '@weft/engine';
import { ResponseBudget } from '../shared/http/response/response-budget';
import { eachItem } from '../shared/each-item';
import { readCall, type Wanted } from './read-call';
import { callRemote } from './remote-instance';

const MAX_PAGES = 100;

/** Makes one call. */
type MakeCall = (call: InstanceCall, itemIndex: number) => Promise<InstanceAnswer>;

/** Calls the API of this instance for the owner of the workflow, or of another one with a credential. Version 1. */
export const n8n: NodeExecutor = {
  kind: 'n8n',
  actsOutside: true,
  run: async (context) => {
    const budget = new ResponseBudget();
    const make = await openInstance(context, budget);
    const counted: MakeCall = async (...call) => {
      budget.limit();
      const answer = await make(...call);
      budget.spend(answer.bytes);
      return answer;
    };
    return output(
      await eachItem(context, async (_, index) => {
        const { call, wanted } = readCall(context, index);
        const found =
          wanted === undefined
            ? [(await counted(call, index)).json]
            : await listed(context, counted, call, wanted, index);
        return found.map((json) => ({ json: isJsonObject(json) ? json : { data: json } }));
      }),
    );
  },
};

/** This instance, unless a credential contains another URL. */
async function openInstance(context: NodeContext, budget: ResponseBudget): Promise<MakeCall> {
  const { instance } = context.ports;
  const credential: JsonObject =
    context.node.credentials?.['n8nApi'] === undefined ? {} : await context.credential('n8nApi');
  const baseUrl = (textField(credential, 'baseUrl') ?? '').trim();
  if (baseUrl === '' || (await instance.isHere(baseUrl))) return (call) => instance.call(context.node.name, call);
  return (call, itemIndex) => callRemote(context, { baseUrl, credential, call, itemIndex }, budget);
}

/** Entries of a list, page by page, up to the requested number. */
async function listed(
  context: NodeContext,
  make: MakeCall,
  call: InstanceCall,
  { limit }: Wanted,
  itemIndex: number,
): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    await context.pause();
    const { json } = await make(atPage(call, cursor), itemIndex);
    for (const entry of listField(json, 'data')) found.push(entry);
    const next = field(json, 'nextCursor');
    if (typeof next !== 'string' || next === '' || found.length >= limit) return found.slice(0, limit);
    cursor = next;
  }
  throw new NodeFailure(`The list has more than ${MAX_PAGES} pages`, {
    itemIndex,
    description: 'Set a limit, or filter the list.',
  });
}

function atPage(call: InstanceCall, cursor: string | undefined): InstanceCall {
  return call.call === 'listWorkflows' || call.call === 'listExecutions'
    ? { ...call, page: { ...call.page, cursor } }
    : call;
}

import { dataOf, restClient, textOf, type RestAnswer } from './rest';
import { until } from './until';
import { connect, node, type NodeFile } from './workflows';

/** A node that sets strings. */
export const set = (name: string, x: number, values: Readonly<Record<string, string>>): NodeFile =>
  node(name, 'set', 3.4, x, {
    mode: 'manual',
    options: {},
    assignments: {
      assignments: Object.entries(values).map(([key, value]) => ({ id: key, name: key, type: 'string', value })),
    },
  });
const chain = (nodes: readonly NodeFile[]) =>
  connect(Object.fromEntries(nodes.slice(0, -1).map(({ name }, index) => [name, [[nodes[index + 1]?.name ?? '']]])));

/** Requests of stories about waiting runs. */
export const waitScene = (base: string, apiKey: string) => {
  const rest = restClient(base, apiKey);
  const create = async (name: string, nodes: readonly NodeFile[], active = false): Promise<string> =>
    textOf(
      await rest('POST', '/workflows', {
        name,
        nodes,
        connections: chain(nodes),
        settings: { executionOrder: 'v1' },
        active,
      }),
      'id',
    );
  const execute = async (name: string, nodes: readonly NodeFile[]): Promise<string> =>
    textOf(await rest('POST', `/workflows/${await create(name, nodes)}/execute`, { data: { n: 1 } }), 'executionId');
  const statusOf = async (id: string): Promise<unknown> => dataOf(await rest('GET', `/executions/${id}`))['status'];
  const reaches = (id: string, status: string): Promise<unknown> =>
    until(`${status} of ${id}`, async () => (await statusOf(id)) === status, 30_000);
  const lastItem = async (id: string, name: string): Promise<unknown> => {
    const data: { resultData?: { runData?: Record<string, { data: { main: { json: unknown }[][] } }[]> } } = JSON.parse(
      JSON.stringify(dataOf(await rest('GET', `/executions/${id}`))['data'] ?? {}),
    );
    return data.resultData?.runData?.[name]?.[0]?.data.main[0]?.[0]?.json;
  };
  const post = async (url: string, body: unknown): Promise<Pick<RestAnswer, 'status' | 'text' | 'headers'>> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(35_000),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { rest, create, execute, statusOf, reaches, lastItem, post };
};

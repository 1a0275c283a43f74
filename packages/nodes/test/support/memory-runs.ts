import { jsonOf, runTest, type TestResult, type TestRun } from '@weft/engine/testing';
import type { NodeExecutor } from '@weft/engine';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../src/descriptors/kinds';
import { NODE_REGISTRY } from '../../src/executors';
import type { CaseDatabase } from '../../src/testing/cases/node-case';
import { type DatabaseServer, localDatabases } from './servers';

const TYPE = '@n8n/n8n-nodes-langchain.';

/** Says the text of each item, and outputs what was said before. */
const chat: Omit<NodeExecutor, 'kind'> = {
  actsOutside: true,
  run: async (context) => {
    const items = [];
    for (const [index, { json }] of context.items.entries()) {
      const [supplied] = await context.attached('ai_memory', index);
      const known = ((await supplied?.handle.load()) ?? []).map((message) => ({ ...message }));
      const say = String(json['say']);
      await supplied?.handle.append([
        { role: 'user', content: say },
        { role: 'assistant', content: `re ${say}` },
      ]);
      items.push({ json: { known: JSON.parse(JSON.stringify(known)) } });
    }
    return { kind: 'items', outputs: [items] };
  },
};

/** A kind of memory on a server. */
export interface MemoryServer {
  /** Without `langchain.`. */
  readonly kind: string;
  readonly database: CaseDatabase;
  readonly server: DatabaseServer;
}

/** Runs workflows with a memory on a server. The caller closes it. */
export interface MemoryRuns {
  /** Says something with a memory of these parameters. @param node name of the node that says it */
  say(text: string, parameters?: JsonObject, node?: string): Promise<TestResult>;
  /** Messages that a chat knows. */
  known(parameters?: JsonObject): Promise<Json>;
  /** Runs a memory manager with these parameters on the conversation `s`. */
  manage(parameters: JsonObject): Promise<Json[] | undefined>;
  close(): void;
}

export function memoryRuns({ kind, database, server }: MemoryServer, version: number): MemoryRuns {
  const clients = localDatabases([server.port]);
  const testOf = (user: string, type: string, own: JsonObject, parameters: JsonObject): TestRun => ({
    nodes: [
      [user, type, own],
      [
        'The memory',
        'memory',
        {
          type: `${TYPE}${kind}`,
          typeVersion: version,
          parameters: {
            sessionIdType: 'customKey',
            ...(parameters['sessionIdType'] === 'fromInput' ? {} : { sessionKey: 's' }),
            ...parameters,
          },
          credentials: { [database]: { id: 'c1', name: 'Database' } },
        },
      ],
    ],
    links: [`The memory>${user}@ai_memory`],
    executors: { chat },
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
    credential: server.credential,
    ports: { databases: clients.databases },
  });
  const say = (text: string, parameters: JsonObject = {}, node = text): Promise<TestResult> =>
    runTest({ ...testOf(node, 'chat', {}, parameters), input: [{ say: text, sessionId: 's' }] });
  return {
    say,
    known: async (parameters) => {
      const result = await say('known', parameters, 'Known');
      const [json] = jsonOf(result, 'Known') ?? [];
      return json ?? null;
    },
    manage: async (parameters) =>
      jsonOf(await runTest(testOf('Manager', 'm', { type: `${TYPE}memoryManager`, parameters }, {})), 'Manager'),
    close: clients.close,
  };
}

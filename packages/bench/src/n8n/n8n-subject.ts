import { startPostgresServer } from '@weft/local-stack';
import { readMemory } from '../cpu/memory';
import { untilQuiet } from '../cpu/until-quiet';
import { nodeOf } from '../stacks/checkout-facts';
import type { SubjectKind } from '../stacks/subject';
import { createN8nApi } from './n8n-api';
import { createN8nKey } from './n8n-key';
import { checkN8n, n8nVersion, startN8n, type StartDatabase } from './n8n-process';

const MODE = 'expression engine legacy, internal task runners, executions saved, servers postgres (pool of 10)';

/** The kind of an installed n8n: one process with its task runner as child, and a PostgreSQL. */
export const createN8nKind = (startDatabase: StartDatabase): SubjectKind => ({
  check: checkN8n,
  start: async (plan, report) => {
    const { baseUrl, pid, processes, readyMs, failed, stop } = await startN8n(plan.folder, startDatabase, report);
    try {
      const api = createN8nApi(baseUrl, await createN8nKey(baseUrl));
      await untilQuiet(processes);
      return [
        {
          ...plan,
          about: `n8n ${n8nVersion(plan.folder)}, ${MODE}`,
          commit: undefined,
          node: nodeOf(pid),
          facts: { baseUrl, processes, readyMs },
          api,
          idleMiB: readMemory(processes),
          enter: () => Promise.resolve(),
          stack: { failed, stop },
        },
      ];
    } catch (error) {
      await stop();
      throw error;
    }
  },
});

/** An n8n with a separate PostgreSQL, configured like the one of Weft's store. */
export const N8N = createN8nKind(startPostgresServer);

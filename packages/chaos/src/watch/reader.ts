import { setTimeout as sleep } from 'node:timers/promises';
import type { Violation } from '../checks/evidence';
import type { Api } from '../load/api';
import type { Journal } from '../load/journal';

/** An execution as a user reads it. */
export interface ReadExecution {
  readonly status: string;
  readonly finishedAt: string | null;
  readonly data?: {
    readonly resultData?: { readonly runData?: Readonly<Record<string, unknown>>; readonly lastNodeExecuted?: string };
  };
}

/** Reads executions during the faults, as users do. */
export interface Reader {
  /** The first end that was shown of an execution. */
  readonly firstEnds: ReadonlyMap<string, ReadExecution>;
  readonly violations: readonly Violation[];
  readonly stop: () => Promise<void>;
}

const EVERY_MS = 120;
const MAX_READ = 4_000;

const isEnd = (status: string): boolean => status === 'success' || status === 'error';

/** Reads one execution. Undefined if it cannot be read now. @throws Error if its body is not JSON */
export const readExecution = async (
  api: Api,
  id: string,
): Promise<{ readonly status: number; readonly execution?: ReadExecution }> => {
  const { status, text } = await api.get(`/executions/${id}`);
  if (status !== 200) return { status };
  const json: { data: ReadExecution } = JSON.parse(text);
  return { status, execution: json.data };
};

/** The error in a successful run, if any: its data must exist as soon as it is shown. */
export const faultOfSuccess = ({ status, data }: ReadExecution): string | undefined => {
  if (status !== 'success') return undefined;
  const last = data?.resultData?.lastNodeExecuted;
  const runs = last === undefined ? undefined : data?.resultData?.runData?.[last];
  return Array.isArray(runs) && runs.length > 0 ? undefined : `success, and no data of its last node ${last ?? ''}`;
};

/** Begins to read accepted executions, at random. */
export const startReader = (api: Api, journal: Journal): Reader => {
  const firstEnds = new Map<string, ReadExecution>();
  const violations: Violation[] = [];
  let isStopped = false;
  const readOne = async (id: string): Promise<void> => {
    const { status, execution } = await readExecution(api, id);
    if (execution === undefined) {
      if (status !== 500)
        violations.push({ check: 'I6 what was accepted can be read', executionId: id, what: `GET answered ${status}` });
      else
        violations.push({
          check: 'reads answer or say that they cannot now',
          executionId: id,
          what: `GET answered ${status}`,
        });
      return;
    }
    const fault = faultOfSuccess(execution);
    if (fault !== undefined)
      violations.push({ check: 'I4 success is shown with its data', executionId: id, what: fault });
    if (isEnd(execution.status)) firstEnds.set(id, execution);
  };
  const loop = (async () => {
    while (!isStopped && firstEnds.size < MAX_READ) {
      await sleep(EVERY_MS);
      const entry = journal.entries[Math.floor(Math.random() * journal.entries.length)];
      const [id] = entry?.ids ?? [];
      if (id === undefined || firstEnds.has(id) || entry?.acceptedAt === undefined) continue;
      try {
        await readOne(id);
      } catch {
        // no gateway answers for a long time: the starts report that
      }
    }
  })();
  return {
    firstEnds,
    violations,
    stop: async () => {
      isStopped = true;
      await loop;
    },
  };
};

import { parentPort, workerData } from 'node:worker_threads';
import type { FormatTasks, FormatWork, WorkerAnswer, WorkerOrder } from './tasks';

/** Each library is loaded only for the work that needs it. */
const WORK: FormatWork = {
  readSheet: async (input) => (await import('./sheets.js')).readSheet(input),
  writeSheet: async (input) => (await import('./sheets.js')).writeSheet(input),
  readCsv: async (input) => (await import('./csv.js')).readCsv(input),
  readPdf: async (input) => (await import('./pdf.js')).readPdf(input),
  readCalendar: async (input) => (await import('./calendars.js')).readCalendar(input),
  writeCalendar: async (input) => (await import('./calendars.js')).writeCalendar(input),
  zip: async (input) => (await import('./archives.js')).zip(input),
  unzip: async (input) => (await import('./archives.js')).unzip(input),
};

const carryOut = async <Kind extends keyof FormatTasks>({
  kind,
  input,
}: WorkerOrder<Kind>): Promise<WorkerAnswer<Kind>> => {
  try {
    const work: FormatWork[Kind] = WORK[kind];
    return { output: await work(input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
};

const order: WorkerOrder<keyof FormatTasks> = workerData;
void carryOut(order).then((answer) => parentPort?.postMessage(answer));

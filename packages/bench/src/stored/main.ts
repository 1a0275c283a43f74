import { runAsCommand, startStack, StackError, type Stack } from '@weft/local-stack';
import { createApi, type Api } from '../api';
import { formatTable, type Row } from '../report/table';
import { ms } from '../report/numbers';
import { median, percentile } from '../statistics';
import { fillStore, type Filled } from './fill-store';
import { PAGES, type MeasuredPage } from './pages';

const FEW = 10_000;
const WARM_UP = 10;
const ROUNDS = 50;
/** Limit of the time of a page with many executions stored, as a multiple of the time with few. */
const MOST = 1.2;

interface Subject {
  readonly api: Api;
  readonly filled: Filled;
}

const env = { credentials: { RATE_LIMIT_PER_MINUTE: '0' } };

/** The number behind `--stored`. */
const readCount = (args: readonly string[]): number => {
  const count = Number(args[args.indexOf('--stored') + 1]);
  if (!Number.isSafeInteger(count) || count < FEW || args.length > 2)
    throw new StackError(`Use --stored with the number of executions, ${FEW} or more, and no other option.`);
  return count;
};

const timeOf = async ({ api }: Subject, path: string): Promise<number> => {
  const began = performance.now();
  await api.readPage(path);
  return performance.now() - began;
};

/** Times of a page in both stacks, alternating by request, so that a disturbance affects both. */
const measure = async ({ what, pathIn }: MeasuredPage, few: Subject, many: Subject): Promise<[Row, boolean]> => {
  const subjects = [
    { subject: few, path: await pathIn(few.api, few.filled), times: [] as number[] },
    { subject: many, path: await pathIn(many.api, many.filled), times: [] as number[] },
  ] as const;
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const { subject, path, times } of round % 2 === 0 ? subjects : [...subjects].reverse()) {
      const time = await timeOf(subject, path);
      if (round >= 0) times.push(time);
    }
  }
  const ratio = median(subjects[1].times) / median(subjects[0].times);
  const spread = ({ times }: { readonly times: readonly number[] }): string =>
    `${ms(median(times))} (${ms(percentile(times, 0.25))} to ${ms(percentile(times, 0.75))})`;
  const isSlow = ratio > MOST;
  return [
    { cells: [what, spread(subjects[0]), spread(subjects[1]), `${ratio.toFixed(2)}${isSlow ? ' SLOW' : ''}`] },
    isSlow,
  ];
};

const subjectOf = async (stack: Stack, count: number, report: (line: string) => void): Promise<Subject> => {
  const api = createApi(stack.baseUrls[0] ?? '', stack.apiKey);
  const step = Math.max(FEW, count / 10);
  let shown = 0;
  const filled = await fillStore(stack, api, count, (stored) => {
    if (stored < shown + step) return;
    shown = stored;
    report(`  ${stored} executions stored`);
  });
  return { api, filled };
};

/** @returns the exit code: 1 if a page takes too long */
const compare = async (stacks: Stack[], count: number, report: (line: string) => void): Promise<number> => {
  const { mongodbUri, natsUrl } = stacks[0] ?? { mongodbUri: undefined, natsUrl: undefined };
  stacks.push(await startStack({ env, environment: { ...process.env, MONGODB_URI: mongodbUri, NATS_URL: natsUrl } }));
  const [few, many] = stacks;
  if (few === undefined || many === undefined) throw new StackError('A stack is missing.');
  const subjects = [await subjectOf(few, FEW, report), await subjectOf(many, count, report)] as const;
  report('Measuring ...');
  const rows: Row[] = [{ cells: ['GET /executions?limit=20', `${FEW} stored`, `${count} stored`, 'ratio'] }];
  let slow = 0;
  for (const page of PAGES) {
    const [row, isSlow] = await measure(page, ...subjects);
    rows.push(row);
    slow += Number(isSlow);
    report(`  ${row.cells.join('  ')}`);
  }
  report(`\nMedians of ${ROUNDS} requests (quartiles)\n${formatTable(rows)}`);
  return slow === 0 ? 0 : 1;
};

/** `npm run bench -- --stored N`: time of pages of executions with N stored ones and with 10,000, alternating. */
runAsCommand(async ({ report, interrupted }) => {
  const count = readCount(process.argv.slice(2));
  report('Starting two stacks on one store ...');
  const stacks = [await startStack({ env })];
  try {
    return await Promise.race([compare(stacks, count, report), interrupted]);
  } finally {
    for (const stack of stacks.reverse()) await stack.stop();
  }
});

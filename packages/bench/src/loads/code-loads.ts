import { CODE_PROGRAMS, EMPTY_PROGRAM, type CodeProgram } from './code-programs';
import type { Load } from './load';
import { measurePlainProgram } from './plain-program';
import { requestLoad } from './request-load';
import { webhookRequests } from './webhook-loads';
import { node, webhookChain } from './webhook-workflow';

/** Shares of the time of a measurement. */
const PROGRAM_SHARE = 0.75;
const EMPTY_SHARE = 1 - PROGRAM_SHARE;

const workflow = (path: string, jsCode: string) => webhookChain(path, 'lastNode', node('Code', 'code', 2, { jsCode }));

const codeLoad = ({ name, title, code }: CodeProgram): Load => ({
  name,
  title: `Code node, ${title}, one connection`,
  per: 'run',
  prepare: async (subject) => {
    await subject.api.create(workflow(name, code));
    await subject.api.create(workflow(`${name}-empty`, EMPTY_PROGRAM));
    const program = requestLoad(subject, webhookRequests(subject, name, 1));
    const empty = requestLoad(subject, webhookRequests(subject, `${name}-empty`, 1));
    return {
      warmUp: async (seconds) => {
        await program.warmUp(seconds * PROGRAM_SHARE);
        await empty.warmUp(seconds * EMPTY_SHARE);
      },
      measure: async (seconds) => {
        const emptyCalls = await empty.measure(seconds * EMPTY_SHARE);
        const calls = await program.measure(seconds * PROGRAM_SHARE);
        const plainMs = await measurePlainProgram(subject.node.program, code);
        const p50 = (measured: typeof calls): number =>
          measured.figures.find(({ key }) => key === 'p50Ms')?.value ?? Number.NaN;
        return {
          ...calls,
          failed: calls.failed + emptyCalls.failed,
          figures: [
            ...calls.figures.filter(({ key }) => key !== 'perSecond'),
            { key: 'emptyP50Ms', label: 'p50 with a program that does nothing', unit: 'ms', value: p50(emptyCalls) },
            { key: 'plainMs', label: 'the same in plain Node, fresh process', unit: 'ms', value: plainMs },
            {
              key: 'timesPlain',
              label: 'program / plain Node',
              unit: 'times',
              value: (p50(calls) - p50(emptyCalls)) / plainMs,
            },
          ],
        };
      },
    };
  },
});

/** The expensive programs, each with its ratio to plain Node: the time of its call minus that of an empty one. */
export const CODE_LOADS: readonly Load[] = CODE_PROGRAMS.map(codeLoad);

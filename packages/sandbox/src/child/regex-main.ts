import { createContext, Script } from 'node:vm';
import { encodeFrame, FRAME, FrameReader } from '../process/frames';
import { REGEX_ATTEMPTS_MS, REGEX_MS, SANDBOX_LIMITS, STARVED_PART } from '../pools/limits';
import type { RegexAnswer, RegexQuestion } from '../regex/regex-messages';

const scope: { pattern: RegExp | undefined; text: string } = { pattern: undefined, text: '' };
const context = createContext(scope);
const search = new Script('pattern.exec(text)');

/**
 * Answers searches, one at a time, until its input ends. The pattern runs in V8, as short strings do in the runner.
 */
async function runRegexProgram(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<void> {
  const send = (kind: number, ...parts: readonly Uint8Array[]): void => {
    for (const part of encodeFrame(kind, ...parts)) output.write(part);
  };
  const frames = new FrameReader(SANDBOX_LIMITS.regexBytes);
  send(FRAME.ready);
  for await (const piece of input) {
    for (const { body } of frames.push(Buffer.from(piece))) {
      send(FRAME.regexAnswer, Buffer.from(JSON.stringify(answer(body))));
    }
  }
}

/** CPU milliseconds of the searching thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The first match; undefined if the search was too slow or exhausted the stack. */
function find(pattern: RegExp, from: number): RegExpExecArray | null | undefined {
  scope.pattern = pattern;
  for (const timeout of REGEX_ATTEMPTS_MS) {
    pattern.lastIndex = from;
    const before = cpuMs();
    try {
      return search.runInContext(context, { timeout });
    } catch {
      // Both mean that this pattern is too expensive for this text, unless the process lacked CPU.
      if (cpuMs() - before >= REGEX_MS * STARVED_PART) return undefined;
    }
  }
  return undefined;
}

function answer(question: Buffer): RegexAnswer {
  // Reading a new text may cost more than a fast search, so it counts as work.
  const before = cpuMs();
  const { pattern, flags, from, text }: RegexQuestion = JSON.parse(question.toString());
  if (text !== undefined) scope.text = text;
  const sticky = flags.includes('y') ? 'y' : 'g';
  // Not linear: this process is ended when its time is over.
  const found = find(new RegExp(pattern, `${flags.replace(/[dgy]/g, '')}${sticky}`), from);
  const workMs = cpuMs() - before;
  if (found === undefined) return { isLate: true };
  if (found === null) return { workMs };
  const named =
    found.groups === undefined
      ? {}
      : {
          named: Object.fromEntries(
            Object.entries(found.groups).map(([name, value]): [string, string | null] => [name, value ?? null]),
          ),
        };
  return {
    match: { index: found.index, groups: Array.from(found, (group): string | null => group ?? null), ...named },
    workMs,
  };
}

void runRegexProgram(process.stdin, process.stdout).finally(() => process.exit());

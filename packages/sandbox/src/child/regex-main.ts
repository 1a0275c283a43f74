import { createContext, Script } from 'node:vm';
import { encodeFrame, FRAME, FrameReader } from '../frames';
import { REGEX_MS, SANDBOX_LIMITS } from '../limits';
import type { RegexAnswer, RegexQuestion } from '../regex/regex-messages';

const scope: { pattern: RegExp | undefined; text: string } = { pattern: undefined, text: '' };
const context = createContext(scope);
const search = new Script('pattern.exec(text)');

/**
 * Answers searches, one at a time, until its input ends. The pattern runs in V8, as short texts do in the runner
 * itself.
 */
async function runRegexProgram(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<void> {
  const send = (kind: number, ...parts: readonly Uint8Array[]): void => {
    for (const part of encodeFrame(kind, ...parts)) output.write(part);
  };
  const frames = new FrameReader(SANDBOX_LIMITS.regexBytes);
  send(FRAME.ready);
  for await (const piece of input) {
    for (const { body } of frames.push(Buffer.from(piece))) {
      const question: RegexQuestion = JSON.parse(body.toString());
      send(FRAME.regexAnswer, Buffer.from(JSON.stringify(answer(question))));
    }
  }
}

function answer({ pattern, flags, from, text }: RegexQuestion): RegexAnswer {
  if (text !== undefined) scope.text = text;
  scope.pattern = new RegExp(pattern, `${flags.replace(/[dgy]/g, '')}${flags.includes('y') ? 'y' : 'g'}`);
  scope.pattern.lastIndex = from;
  try {
    const found: RegExpExecArray | null = search.runInContext(context, { timeout: REGEX_MS });
    if (found === null) return {};
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
    };
  } catch {
    // Too late, or too deep for V8's own stack: both mean that this pattern does not end well on this text.
    return { isLate: true };
  }
}

void runRegexProgram(process.stdin, process.stdout).finally(() => process.exit());

import { isObject } from '@weft/service-kit/json';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, type StandIn } from '../stand-ins/serve';

/** How a model streams its answer. */
export interface TimedAnswer {
  /** Number of parts. */
  readonly parts: number;
  /** Milliseconds between two parts. */
  readonly pauseMs: number;
}

/** A model of OpenAI's format. Each part of its answers is the time at which it was sent. */
export interface TimedModel extends StandIn {
  /** Requests so far. */
  readonly requests: () => number;
}

/** Milliseconds of a clock that all code of this process shares. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

const STREAM = { 'content-type': 'text/event-stream' };

/** One event of a stream in OpenAI's format. */
export const chunkOf = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Ends a stream in OpenAI's format. */
export const endStream = (response: ServerResponse): void => {
  response.end(`${chunkOf({}, 'stop')}data: [DONE]\n\n`);
};

/** Starts the model. Every answer is streamed as `answer` says, to requests for a stream and to others alike. */
export const startTimedModel = async ({ parts, pauseMs }: TimedAnswer): Promise<TimedModel> => {
  let requests = 0;
  const answer = async (response: ServerResponse): Promise<void> => {
    requests += 1;
    response.writeHead(200, STREAM);
    for (let part = 0; part < parts && !response.destroyed; part += 1) {
      if (part > 0) await sleep(pauseMs);
      response.write(chunkOf({ content: `${preciseNow().toFixed(2)} ` }));
    }
    endStream(response);
  };
  const server = await serve((request, response) => {
    request.resume();
    void answer(response);
  });
  return { ...server, requests: () => requests };
};

/** A line of JSON of a streamed response. */
export interface Line {
  /** Time of its arrival, of `preciseNow`. */
  readonly at: number;
  readonly chunk: Record<string, unknown>;
}

/** Reads lines of JSON as they arrive. */
export async function* linesOf(response: Response): AsyncGenerator<Line> {
  let rest = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const at = preciseNow();
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const chunk: unknown = JSON.parse(line);
      if (isObject(chunk)) yield { at, chunk };
    }
  }
}

/** All lines of a streamed response. */
export const readLines = async (response: Response): Promise<Line[]> => {
  const lines: Line[] = [];
  for await (const line of linesOf(response)) lines.push(line);
  return lines;
};

/** Milliseconds that each part of a timed answer took to its reader, in order. Parts that arrive at once count once. */
export const delaysOf = (lines: readonly Line[]): number[] =>
  lines
    .filter(({ chunk }) => chunk['type'] === 'item')
    .map(({ at, chunk }) => at - Number(String(chunk['content']).trim().split(' ').at(-1)));

/** The text that the lines give, without text that was replaced. */
export const textOfLines = (lines: readonly Line[]): string => {
  let text = '';
  for (const { chunk } of lines) {
    if (chunk['type'] === 'begin') text = '';
    if (chunk['type'] === 'item') text += String(chunk['content']);
  }
  return text;
};

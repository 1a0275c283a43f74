import { isDeepStrictEqual } from 'node:util';
import { CLIENTS } from './clients.mjs';
import { ERRORS, MESSAGES, SCRIPTS, TOOL } from './scripts.mjs';

/** Weft's client, with the fields of the others. */
async function weft(model, isStreamed) {
  const deltas = [];
  const { message, toolCalls, usage, finish } = await model.call({
    messages: MESSAGES,
    tools: [TOOL],
    settings: { maxRetries: 0 },
    ...(isStreamed ? { onDelta: (delta) => void deltas.push(delta) } : {}),
  });
  const streamed = deltas.map(({ type, text }) => (type === 'text' ? text : '')).join('');
  if (isStreamed && streamed !== message.content) throw new Error('The deltas are not the text.');
  return {
    text: message.content,
    thinking: message.thinking,
    signature: signatureOf(message.native),
    toolCalls: toolCalls.map(({ name, input }) => ({ name, input })),
    usage: [usage.inputTokens, usage.outputTokens],
    finish,
  };
}

const signatureOf = (native) =>
  (Array.isArray(native?.content) ? native.content : [])
    .map(({ signature, thoughtSignature }) => signature ?? thoughtSignature)
    .find((found) => found !== undefined);

/** The outcome of a client: its result, or that it refused. */
const outcomeOf = async (call) => {
  try {
    return await call();
  } catch (error) {
    return { refused: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 100) : String(error) };
  }
};

/** Fields of both that are not equal. A client has no say in fields that it does not return. */
const differencesOf = (ours, theirs) =>
  Object.keys(theirs).filter((name) => !isDeepStrictEqual(plain(ours[name]), plain(theirs[name])));

const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** Runs all scripts with all clients. @returns whether all agree */
export async function agree({ serveModels, endpointOf, createChatModel, createOutboundClient }) {
  const server = await serveModels();
  const http = createOutboundClient({ allow: ['127.0.0.0/8'] });
  let compared = 0;
  let failed = 0;
  for (const [format, clients] of Object.entries(CLIENTS)) {
    const endpoint = endpointOf(format, server.url);
    const model = createChatModel(endpoint, { http });
    for (const [script, step] of Object.entries({ ...SCRIPTS, ...ERRORS })) {
      for (const isStreamed of [false, true]) {
        server.play(step);
        const ours = await outcomeOf(() => weft(model, isStreamed));
        for (const [name, client] of Object.entries(clients)) {
          server.play(step);
          const theirs = await outcomeOf(() => client(server.url, endpoint.model, isStreamed));
          compared += 1;
          const wants = script in ERRORS;
          const isRefusal = ours.refused !== undefined && theirs.refused !== undefined;
          const differences = wants && isRefusal ? [] : differencesOf(ours, theirs);
          if (differences.length === 0 && wants === isRefusal) continue;
          failed += 1;
          console.error(
            `${format}, ${name}, ${script}, ${isStreamed ? 'streamed' : 'whole'}: ${differences.join(', ')}`,
          );
          console.error('  ours  ', JSON.stringify(ours).slice(0, 400));
          console.error('  theirs', JSON.stringify(theirs).slice(0, 400));
        }
      }
    }
  }
  http.close();
  await server.close();
  console.log(`${compared - failed} passed, ${failed} failed`);
  return failed === 0;
}

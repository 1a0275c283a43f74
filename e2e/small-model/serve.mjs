/*
 * Serves a small model in the format of OpenAI's chat completions, for tests: `node serve.mjs MODEL.gguf`. Prints its
 * address. A schema, and calls of tools, are enforced by a grammar: the model is too small to keep to a form without
 * one. With tools, the first answer is always a call, and the answer to a result is a text, or a call of the function
 * that gives the final answer. One request at a time.
 */
import { createServer } from 'node:http';
import { getLlama, LlamaChatSession } from 'node-llama-cpp';

const FINAL_ANSWER = 'format_final_json_response';
const MAX_TOKENS = { text: 48, form: 160 };

// threads of llama.cpp wait for each other without sleeping: on a busy machine one is faster
const llama = await getLlama({ gpu: false, maxThreads: 1, build: 'never', progressLogs: false, logLevel: 'error' });
const model = await llama.loadModel({ modelPath: process.argv[2] });
const context = await model.createContext({ contextSize: 2048 });
const sequence = context.getSequence();

/** A schema in the keywords that grammars have, with short strings. */
const forGrammar = (schema = {}) => {
  if (schema.enum !== undefined) return { enum: schema.enum };
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object')
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, forGrammar(inner)]),
      ),
    };
  if (type === 'array') return { type: 'array', items: forGrammar(schema.items), maxItems: 3 };
  if (type === undefined || type === 'string') return { type: 'string', maxLength: 40 };
  return { type };
};

const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');

/** The conversation up to its last message, and that message as the prompt. */
const historyOf = (messages) => {
  const items = messages.map(({ role, content, tool_calls: calls = [] }) => {
    if (role === 'system') return { type: 'system', text: textOf(content) };
    if (role === 'assistant')
      return {
        type: 'model',
        response: [textOf(content) || calls.map(({ function: { arguments: input } }) => input).join(' ')],
      };
    return { type: 'user', text: role === 'tool' ? `The tool says: ${textOf(content)}` : textOf(content) };
  });
  const prompt = items.findLast(({ type }) => type === 'user')?.text ?? '';
  return { history: items.slice(0, -1), prompt };
};

const ask = async (messages, schema) => {
  const { history, prompt } = historyOf(messages);
  const session = new LlamaChatSession({ contextSequence: sequence });
  session.setChatHistory(history);
  const grammar = schema === undefined ? {} : { grammar: await llama.createGrammarForJsonSchema(forGrammar(schema)) };
  const text = await session.prompt(prompt, {
    temperature: 0,
    maxTokens: schema === undefined ? MAX_TOKENS.text : MAX_TOKENS.form,
    ...grammar,
  });
  session.dispose();
  return text;
};

let calls = 0;
const answer = async ({ messages, tools = [], response_format: format }) => {
  const hasResult = messages.at(-1)?.role === 'tool';
  const final = tools.find(({ function: { name } }) => name === FINAL_ANSWER);
  const tool = hasResult ? final : (tools.find((one) => one !== final) ?? final);
  if (tool === undefined) return { content: await ask(messages, format?.json_schema?.schema) };
  const { name, parameters } = tool.function;
  calls += 1;
  const call = {
    id: `call_${calls}`,
    type: 'function',
    function: { name, arguments: await ask(messages, parameters) },
  };
  return { content: null, tool_calls: [call] };
};

const body = async (request) => {
  let text = '';
  for await (const part of request) text += part;
  return JSON.parse(text);
};

let last = Promise.resolve();
const server = createServer((request, response) => {
  last = last
    .then(async () => {
      const asked = await body(request);
      const message = { role: 'assistant', ...(await answer(asked)) };
      const isCall = message.tool_calls !== undefined;
      const choice = { index: 0, finish_reason: isCall ? 'tool_calls' : 'stop' };
      if (asked.stream === true) {
        const delta = isCall
          ? { ...message, tool_calls: message.tool_calls.map((call, index) => ({ index, ...call })) }
          : message;
        const chunks = [
          { ...choice, finish_reason: null, delta },
          { ...choice, delta: {} },
        ];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const one of chunks)
          response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [one] })}\n\n`);
        response.end('data: [DONE]\n\n');
        return;
      }
      const tokens = model.tokenize(JSON.stringify(message)).length;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          object: 'chat.completion',
          choices: [{ ...choice, message }],
          usage: { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 },
        }),
      );
    })
    .catch((error) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

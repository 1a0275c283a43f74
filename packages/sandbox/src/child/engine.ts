import { SANDBOX_LIMITS } from '../limits';
import type { EngineCallbacks, QuickJsFunctions } from './emscripten';
import { instantiate } from './emscripten';
import type { MemoryImage } from './engine-memory';
import { INITIAL_PAGES, restoreImage, takeImage } from './engine-memory';

/** The memory of the engine is used up. */
export class OutOfMemory extends Error {
  constructor() {
    super('The memory of the engine is used up.');
    this.name = 'OutOfMemory';
  }
}

/** Code within the engine threw something and did not catch it. */
export class EngineException extends Error {
  /** The text of the exception, such as `SyntaxError: …`. */
  constructor(text: string) {
    super(text);
    this.name = 'EngineException';
  }
}

/** Operations outside an engine for the code in it. */
export interface EngineHost {
  /** Asked now and then while code runs: true ends it. */
  shouldStop(): boolean;
  /** Does one named operation, text in, text out. Must not throw. */
  call(operation: string, text: string): string;
}

/** Address of a value in an engine. Valid as long as the engine is. */
export type EngineValue = number;

/** An engine between two calls, to be made again any number of times. */
export interface EngineImage {
  readonly memory: MemoryImage;
  readonly runtime: number;
  readonly context: number;
}

/** Settings of engines. */
export interface EngineOptions {
  readonly program: WebAssembly.Module;
  /** Limit of the pages of the memory. Nothing in the engine can get around it. */
  readonly pagesMax: number;
  readonly host: EngineHost;
}

/** One QuickJS. After an error of a call it may be in any state: throw it away then. */
export class Engine {
  readonly #functions: QuickJsFunctions;
  readonly #memory: WebAssembly.Memory;
  readonly #runtime: number;
  readonly #context: number;

  private constructor(functions: QuickJsFunctions, memory: WebAssembly.Memory, runtime: number, context: number) {
    this.#functions = functions;
    this.#memory = memory;
    this.#runtime = runtime;
    this.#context = context;
  }

  /** An engine with nothing loaded. */
  static async start(options: EngineOptions): Promise<Engine> {
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: options.pagesMax });
    const functions = await instantiate(
      options.program,
      memory,
      callbacksOf(options.host, () => engine),
    );
    const runtime = functions.newRuntime();
    functions.setStackBytes(runtime, SANDBOX_LIMITS.stackBytes);
    functions.enableInterrupts(runtime);
    const engine: Engine = new Engine(functions, memory, runtime, functions.newContext(runtime, 0));
    return engine;
  }

  /** An engine that is what another one was when its image was taken. Values of that one are good in it. */
  static async restore(image: EngineImage, options: EngineOptions): Promise<Engine> {
    const memory = new WebAssembly.Memory({ initial: image.memory.pages, maximum: options.pagesMax });
    const functions = await instantiate(
      options.program,
      memory,
      callbacksOf(options.host, () => engine),
    );
    restoreImage(memory, image.memory);
    const engine: Engine = new Engine(functions, memory, image.runtime, image.context);
    return engine;
  }

  /** The engine as it is now. Only between two calls. */
  image(): EngineImage {
    return { memory: takeImage(this.#memory), runtime: this.#runtime, context: this.#context };
  }

  /** Runs a script and returns its value. @throws EngineException, OutOfMemory */
  evaluate(source: Uint8Array, fileName: string): EngineValue {
    const pointer = this.#write(source);
    const name = this.#write(Buffer.from(fileName));
    const value = this.#functions.evaluate(this.#context, pointer, source.length, name, 0, 0);
    this.#functions.free(pointer);
    this.#functions.free(name);
    return this.#checked(value);
  }

  /** Calls a function. @throws EngineException, OutOfMemory */
  call(callee: EngineValue, ...values: readonly EngineValue[]): EngineValue {
    const list = this.#write(new Uint8Array(new Uint32Array(values).buffer));
    const value = this.#functions.call(this.#context, callee, this.#functions.undefinedValue(), values.length, list);
    this.#functions.free(list);
    return this.#checked(value);
  }

  /** A property of an object. @throws EngineException */
  property(object: EngineValue, name: string): EngineValue {
    return this.#checked(this.#functions.property(this.#context, object, this.text(Buffer.from(name))));
  }

  /** A string of the engine, from UTF-8 without zero bytes. @throws OutOfMemory */
  text(bytes: Uint8Array): EngineValue {
    const pointer = this.#write(bytes);
    const value = this.#functions.newString(this.#context, pointer);
    this.#functions.free(pointer);
    return this.#checked(value);
  }

  /** The function by which code calls the host: operation and text in, text out. */
  hostFunction(): EngineValue {
    const name = this.#write(Buffer.from('host'));
    const value = this.#functions.newFunction(this.#context, name, 2, 0, 1);
    this.#functions.free(name);
    return this.#checked(value);
  }

  /** A value as text in UTF-8. @throws OutOfMemory */
  read(value: EngineValue): Buffer {
    const pointer = this.#functions.textOf(this.#context, value);
    if (pointer === 0) throw new OutOfMemory();
    const all = Buffer.from(this.#memory.buffer);
    const text = Buffer.from(all.subarray(pointer, all.indexOf(0, pointer)));
    this.#functions.freeText(this.#context, pointer);
    return text;
  }

  /** Releases a value, so that its memory can be used for others. */
  free(value: EngineValue): void {
    this.#functions.freeValue(this.#context, value);
  }

  /** Runs jobs that promises have left, at most `most`. Returns how many ran. @throws EngineException, OutOfMemory */
  runJobs(most: number): number {
    const contextOut = this.#write(new Uint8Array(4));
    const value = this.#functions.runJobs(this.#runtime, most, contextOut);
    this.#functions.free(contextOut);
    const count = this.#functions.numberOf(this.#context, value);
    if (Number.isNaN(count)) throw this.#thrown(value);
    this.#functions.freeValue(this.#context, value);
    return count;
  }

  /** Answers a call of the host function: see `EngineHost.call`. */
  answer(host: EngineHost, argumentList: number): ReturnType<QuickJsFunctions['newString']> {
    const [operation, text] = [0, 1].map((index) => this.#boundedText(this.#functions.argument(argumentList, index)));
    const answer =
      operation === undefined || text === undefined
        ? '{"error":{"name":"RangeError","message":"The text is too long"}}'
        : host.call(operation, text);
    const pointer = this.#write(Buffer.from(answer));
    const value = this.#functions.newString(this.#context, pointer);
    this.#functions.free(pointer);
    return value;
  }

  #boundedText(value: number): string | undefined {
    const text = this.read(value);
    return text.length > SANDBOX_LIMITS.hostCallBytes ? undefined : text.toString();
  }

  /** Copies bytes into the engine's memory, with a zero behind them. @throws OutOfMemory */
  #write(bytes: Uint8Array): number {
    const pointer = this.#functions.allocate(bytes.length + 1);
    if (pointer === 0) throw new OutOfMemory();
    const all = new Uint8Array(this.#memory.buffer);
    all.set(bytes, pointer);
    all[pointer + bytes.length] = 0;
    return pointer;
  }

  #checked(value: number): EngineValue {
    const exception = this.#functions.exceptionOf(this.#context, value);
    if (exception === 0) return value;
    throw this.#thrown(exception);
  }

  #thrown(exception: number): Error {
    const text = this.read(exception).toString();
    return text.includes('out of memory') ? new OutOfMemory() : new EngineException(text);
  }
}

function callbacksOf(host: EngineHost, engine: () => Engine): EngineCallbacks {
  return { shouldStop: () => host.shouldStop(), onHostCall: (argumentList) => engine().answer(host, argumentList) };
}

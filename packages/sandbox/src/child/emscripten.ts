import { readFileSync } from 'node:fs';
import loadModule from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import type { JSValuePointer } from '@jitl/quickjs-ffi-types';

/** Callbacks of QuickJS to the program around it. */
export interface EngineCallbacks {
  /** Asked every few thousand steps: true ends the code that runs, and nothing in the code can catch that. */
  shouldStop(): boolean;
  /** A call of the host function, with a pointer to its arguments. Returns a pointer to its result. */
  onHostCall(argumentList: number): JSValuePointer;
}

/**
 * The functions of QuickJS's C interface that are used here. Contexts, runtimes, values and texts are pointers:
 * addresses in the memory.
 */
export interface QuickJsFunctions {
  newRuntime(): number;
  setStackBytes(runtime: number, bytes: number): void;
  enableInterrupts(runtime: number): void;
  newContext(runtime: number, intrinsics: number): number;
  evaluate(
    context: number,
    source: number,
    bytes: number,
    fileName: number,
    detectModule: number,
    flags: number,
  ): number;
  call(context: number, callee: number, self: number, argumentCount: number, argumentList: number): number;
  /** The exception of a call or evaluation, 0 if it returned a value. */
  exceptionOf(context: number, result: number): number;
  property(context: number, object: number, name: number): number;
  undefinedValue(): number;
  newString(context: number, text: number): JSValuePointer;
  newFunction(context: number, name: number, argumentCount: number, isConstructor: number, reference: number): number;
  argument(argumentList: number, index: number): number;
  /** Text of a value, ended by a zero byte; 0 if there is none. */
  textOf(context: number, value: number): number;
  freeText(context: number, text: number): void;
  freeValue(context: number, value: number): void;
  /** Runs up to `most` jobs. Returns their number as a number value, or what one of them threw. */
  runJobs(runtime: number, most: number, contextOut: number): number;
  numberOf(context: number, value: number): number;
  allocate(bytes: number): number;
  free(pointer: number): void;
}

/** The compiled program: costs some ten milliseconds once. */
export function compileQuickJs(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
}

/** A new instance of the compiled program, without a runtime yet, in a memory of its own. */
export async function instantiate(
  program: WebAssembly.Module,
  memory: WebAssembly.Memory,
  callbacks: EngineCallbacks,
): Promise<QuickJsFunctions> {
  const module = await loadModule({
    wasmMemory: memory,
    instantiateWasm: (imports, onSuccess) => {
      const instance = new WebAssembly.Instance(program, imports);
      onSuccess(instance);
      return instance.exports;
    },
  });
  const refuse = (): never => {
    throw new Error('The engine loads no modules.');
  };
  module.callbacks = {
    freeHostRef: () => undefined,
    loadModuleSource: refuse,
    normalizeModule: refuse,
    shouldInterrupt: () => (callbacks.shouldStop() ? 1 : 0),
    callFunction: (_asyncify, _context, _self, _count, argumentList) => callbacks.onHostCall(argumentList),
  };
  // The wrapped functions take and give plain numbers: pointers, lengths and flags.
  const wrap = (name: string, parameters: number): ReturnType<typeof module.cwrap> =>
    module.cwrap(`QTS_${name}`, 'number', Array<'number'>(parameters).fill('number'));
  return {
    newRuntime: wrap('NewRuntime', 0),
    setStackBytes: wrap('RuntimeSetMaxStackSize', 2),
    enableInterrupts: wrap('RuntimeEnableInterruptHandler', 1),
    newContext: wrap('NewContext', 2),
    evaluate: wrap('Eval', 6),
    call: wrap('Call', 5),
    exceptionOf: wrap('ResolveException', 2),
    property: wrap('GetProp', 3),
    undefinedValue: wrap('GetUndefined', 0),
    newString: wrap('NewString', 2),
    newFunction: wrap('NewFunction', 5),
    argument: wrap('ArgvGetJSValueConstPointer', 2),
    textOf: wrap('GetString', 2),
    freeText: wrap('FreeCString', 2),
    freeValue: wrap('FreeValuePointer', 2),
    runJobs: wrap('ExecutePendingJob', 3),
    numberOf: wrap('GetFloat64', 2),
    allocate: (bytes) => module._malloc(bytes),
    free: (pointer) => module._free(pointer),
  };
}

import { MODULES } from './modules';
import { ROOTS } from './roots';
import { RUN } from './run';
import { TIME } from './time';
import { VALUES } from './values';

/**
 * Modules that most code imports, loaded before any code runs. Others are read from the library in memory when they
 * are imported.
 */
const USUAL = [
  'base64 bisect calendar collections.abc copy csv dataclasses datetime decimal difflib email.message enum fractions',
  'functools gzip hashlib heapq hmac html.parser io itertools math operator pathlib random re secrets statistics',
  'string struct tempfile textwrap time traceback types typing unicodedata urllib.parse uuid xml.etree.ElementTree',
  'zipfile zlib',
].flatMap((line) => line.split(' '));

const PREFIX = `
import ast, asyncio, builtins, datetime, gc, io, json, math, random, re, sys, textwrap, time, types, warnings
${USUAL.map((name) => `import ${name}`).join('\n')}

encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(',', ':'), default=lambda value: encoded(value)
).encode
decode = json.loads
`;

const SUFFIX = String.raw`
def install():
    install_modules()
    time.sleep = sleep
    asyncio.run = asyncio.runners.run
    warnings.simplefilter('ignore')
    asyncio.events._event_loop_policy = LoopPolicy()


def freeze():
    """Keeps the objects that exist out of collections, which would write to memory shared with other processes."""
    gc.collect()
    gc.freeze()
`;

/**
 * The Python program of a sandbox. It needs the name `host`, a function that takes the name of an operation and a
 * string, and defines `install`, `freeze` and `run`.
 */
export const PYTHON_LIBRARY = [PREFIX, VALUES, ROOTS, TIME, MODULES, RUN, SUFFIX].join('\n');

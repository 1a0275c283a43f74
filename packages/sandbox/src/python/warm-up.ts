import type { CodeInput } from '../code/code-data';
import { EMPTY_INPUT } from '../code/code-data';
import type { Python } from './load-python';

/** Common operations, which V8 compiles on first use: each copy would compile them again. */
const USUAL = `
import asyncio, json, re
from datetime import datetime
from js import Object
class Total:
    def __init__(self): self.sum = 0
    def add(self, n): self.sum += n
total = Total()
for n in range(2000):
    total.add(n % 7 if n % 3 else len(str(n)) * 2)
words = sorted({word.lower() for word in re.findall(r'\\w+', 'Ways of the world, of words and of Weft')})
try:
    int('x')
except ValueError as error:
    print(f'{error}', end=' ')
print(_now.toISO(), _today, datetime.now().isoformat(), json.loads(json.dumps({'a': [1, 2.5, None, True]})))
async def later():
    await asyncio.sleep(0.001)
    return {'words': words, 'total': total.sum, 'big': 2 ** 70 % 97, 'share': round(1 / 3, 2)}
found = await later()
return [{'json': {**item.json, **found, 'keys': Object.keys(item.json)}} for item in _input.all()]
`;

const NATIVE = 'return [{"json": {**item["json"], "n": n}} for n, item in enumerate(_items)]';
const FAILING = 'if _json:\n  raise ValueError("a")\nreturn {"json": _json}';

/** Runs code in every usual way. @throws Error if Python does not work */
export function warmUpPython(python: Python): void {
  const run = (code: string, over: Partial<CodeInput>): void => {
    const report = python.run(code, JSON.stringify({ ...EMPTY_INPUT, ...over }));
    if (!report.startsWith('{"value')) throw new Error(`Python does not work: ${report}`);
  };
  const items = [{ json: { name: 'Zürich', list: [{ n: 1 }] } }];
  run(USUAL, { style: 'python', items });
  run(NATIVE, { style: 'pythonNative', items });
  run(FAILING, { style: 'python', items, perItem: true, goesOn: true });
  python.freeze();
}

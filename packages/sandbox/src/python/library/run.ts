/** Python: compiles and calls the code of a run, and describes its outcome as a CodeReport. */
export const RUN = String.raw`
FILE = 'code'
NAME = '__code__'
LONGEST_LINE = 100_000


class Output(io.TextIOBase):
    """Standard output and error: each line is one of the console."""

    def __init__(self):
        self.parts = []
        self.length = 0

    def writable(self):
        return True

    def write(self, text):
        *lines, rest = text.split('\n')
        for line in lines:
            self.parts.append(line)
            self.close_line()
        self.parts.append(rest)
        self.length += len(rest)
        if self.length > LONGEST_LINE:
            self.close_line()
        return len(text)

    def close_line(self):
        host('log', ''.join(self.parts))
        self.parts.clear()
        self.length = 0

    def finish(self):
        if self.length > 0:
            self.close_line()


def parsed(code):
    try:
        return ast.parse(code, FILE)
    except IndentationError:
        # Code that is indented as a whole.
        dedented = textwrap.dedent(code)
        if dedented == code:
            raise
        return ast.parse(dedented, FILE)


def awaits(node):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Await, ast.AsyncFor, ast.AsyncWith)):
            return True
        if isinstance(child, ast.comprehension) and child.is_async:
            return True
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if awaits(child):
            return True
    return False


def compiled(code):
    """The code as the body of a function, on its own lines."""
    tree = parsed(code)
    kind = ast.AsyncFunctionDef if awaits(tree) else ast.FunctionDef
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = kind(name=NAME, args=none, body=tree.body or [ast.Pass()], decorator_list=[])
    module = ast.Module(body=[function], type_ignores=[])
    return compile(ast.fix_missing_locations(module), FILE, 'exec', dont_inherit=True)


def call(program, names):
    scope = {'__builtins__': builtins, '__name__': '__main__', **names}
    exec(program, scope)
    value = scope[NAME]()
    if asyncio.iscoroutine(value):
        return asyncio.run(value)
    return value


def kind_of(value, is_native):
    if value is None:
        return 'null' if is_native else 'undefined'
    if isinstance(value, bool):
        return 'boolean'
    if isinstance(value, (int, float)):
        return 'number'
    return 'string' if isinstance(value, str) else 'object'


def encoded(value):
    return list(value) if isinstance(value, (set, frozenset)) else str(value)


def without_nan(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: without_nan(part) for key, part in value.items()}
    return [without_nan(part) for part in value] if isinstance(value, (list, tuple)) else value


def as_json(value):
    try:
        return encode(value)
    except ValueError as error:
        if 'ircular' in str(error):
            raise
        return encode(without_nan(value))


def value_json(value, is_native):
    kind = kind_of(value, is_native)
    return f'{{"type":"{kind}","value":{as_json(value)}}}' if value is not None else f'{{"type":"{kind}"}}'


def line_of(error):
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return error.lineno
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def message_of(error):
    text = error.msg if isinstance(error, SyntaxError) and error.msg else str(error)
    if isinstance(error, ExpressionError):
        return text
    return f'{type(error).__name__}: {text}' if text else type(error).__name__


def described(error):
    try:
        fields = {'name': 'Error', 'message': message_of(error)}
        description = error.description if isinstance(error, ExpressionError) else None
        line = line_of(error)
        fields |= {} if description is None else {'description': str(description)}
        return fields | ({} if line is None else {'line': line})
    except Exception:
        return {'name': 'Error', 'message': 'The code raised something that cannot be described'}


def error_json(error):
    return encode(described(error))


def run_each(program, data, names_of, is_native):
    values = []
    for index in range(data['itemCount']):
        try:
            values.append(value_json(call(program, names_of(index)), is_native))
        except MemoryError:
            raise
        except Exception as error:
            if not data['goesOn']:
                return f'"error":{error_json(error)},"itemIndex":{index}'
            values.append(f'{{"error":{error_json(error)}}}')
    return f'"values":[{",".join(values)}]'


def variables_of(data):
    return {f'_{name}': value for name, value in (data.get('variables') or {}).items()}


def run_native(program, data):
    items = data['items']
    variables = variables_of(data)
    if data['perItem']:
        return run_each(program, data, lambda index: {'_item': items[index], **variables}, True)
    return f'"value":{value_json(call(program, {"_items": items, **variables}), True)}'


def run_compatible(program, data, roots, needs_time):
    def names_of(index):
        roots.index = index
        return roots.names(needs_time) | variables_of(data)

    if data['perItem']:
        return run_each(program, data, names_of, False)
    return f'"value":{value_json(call(program, names_of(0)), False)}'


def report_of(code, text, output):
    data = decode(text)
    roots = None
    try:
        program = compiled(code)
        if data['style'] == 'pythonNative':
            fields = run_native(program, data)
        else:
            roots = Roots(wrap(data))
            fields = run_compatible(program, roots.data, roots, '_now' in code or '_today' in code)
    except (MemoryError, Never):
        raise
    except BaseException as error:
        fields = f'"error":{error_json(error)}'
    output.finish()
    if roots is not None and roots.static_data.is_asked:
        fields += f',"staticData":{as_json(roots.static_data.values)}'
    if roots is not None and roots.custom_data.is_asked:
        fields += f',"customData":{as_json(roots.custom_data.values)}'
    return f'{{{fields}}}'


def run(code, text):
    """Returns the report of a run as JSON, or why there is none: 'memory' or 'never'."""
    output = Output()
    sys.stdout = sys.stderr = output
    sys.stdin = io.StringIO()
    random.seed()
    # Pyodide's own loop counts as running, but nothing runs it here.
    asyncio._set_running_loop(None)
    try:
        return report_of(code, text, output)
    except MemoryError:
        return 'memory'
    except Never:
        return 'never'
    except Exception as error:
        return f'{{"error":{error_json(error)}}}'
`;

/**
 * Python: the modules that code can import. Those that lead to JavaScript are hidden; the few functions of them that
 * code for n8n uses exist as Python.
 */
export const MODULES = String.raw`
HIDDEN = ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core', 'micropip')


def is_hidden(name):
    return name.partition('.')[0] in HIDDEN


class Hidden:
    """The first finder: nothing is found under the names of Pyodide."""

    def find_spec(self, name, path=None, target=None):
        if is_hidden(name):
            raise missing(name)
        return None


class Missing:
    """The last finder: says what can be imported."""

    def find_spec(self, name, path=None, target=None):
        if path is None:
            raise missing(name)
        return None


def missing(name):
    if name.partition('.')[0] in sys.stdlib_module_names:
        reason = 'This part of the standard library is not available in code.'
    elif is_hidden(name) and name != 'micropip':
        reason = 'Code cannot reach JavaScript.'
    else:
        reason = 'Code can use the standard library of Python; packages cannot be installed.'
    return ModuleNotFoundError(f"No module named '{name}'. {reason}", name=name)


class Object:
    new = staticmethod(lambda: JsObject())
    keys = staticmethod(lambda value: JsArray(value))
    values = staticmethod(lambda value: JsArray(value.values()))
    entries = staticmethod(lambda value: JsArray(JsArray(entry) for entry in value.items()))
    fromEntries = staticmethod(lambda entries: JsObject(wrap(dict(entries))))

    @staticmethod
    def assign(target, *sources):
        for source in sources:
            target.update(source)
        return target


class Json:
    parse = staticmethod(lambda text: wrap(json.loads(text)))

    @staticmethod
    def stringify(value, _replacer=None, indent=None):
        separators = (',', ':') if indent is None else (',', ': ')
        return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, default=encoded)


class Array:
    new = staticmethod(lambda *values: JsArray(values))
    from_ = staticmethod(lambda values: JsArray(values))
    isArray = staticmethod(lambda value: isinstance(value, (list, tuple)))


setattr(Array, 'from', Array.from_)


class Console:
    log = info = warn = error = debug = staticmethod(lambda *values: print(*values))


def module(name, **members):
    def refuse(member):
        raise AttributeError(f'{name}.{member} is not available: code cannot reach JavaScript')

    made = types.ModuleType(name)
    vars(made).update(members, __getattr__=refuse)
    return made


def install_modules():
    for name in [name for name in sys.modules if is_hidden(name)]:
        del sys.modules[name]
    ffi = module(
        'pyodide.ffi',
        JsProxy=JsProxy,
        JsArray=JsArray,
        to_js=lambda value, **_options: wrap(plain(value)),
        create_proxy=lambda value, **_options: value,
    )
    own = {
        'js': module('js', Object=Object, JSON=Json, Array=Array, console=Console),
        'pyodide': module('pyodide', ffi=ffi),
        'pyodide.ffi': ffi,
    }
    sys.modules.update(own)
    sys.meta_path[:] = [
        Hidden(),
        *(finder for finder in sys.meta_path if not is_hidden(type(finder).__module__)),
        Missing(),
    ]
`;

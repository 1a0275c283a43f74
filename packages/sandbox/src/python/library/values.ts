/**
 * Python: values of JSON with the interface that Pyodide gives to objects of JavaScript. They are dictionaries and
 * lists, so that all of Python works with them too.
 */
export const VALUES = String.raw`
class JsProxy:
    __slots__ = ()


class JsObject(dict, JsProxy):
    __slots__ = ()

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        try:
            del self[name]
        except KeyError:
            raise AttributeError(name) from None

    def to_py(self, *, depth=-1, default_converter=None):
        return plain(self)

    def as_object_map(self, *, hereditary=False):
        return self

    def as_py_json(self):
        return self

    def object_keys(self):
        return JsArray(self)

    def object_values(self):
        return JsArray(self.values())

    def object_entries(self):
        return JsArray(JsArray(entry) for entry in self.items())


class JsArray(list, JsProxy):
    __slots__ = ()

    @property
    def length(self):
        return len(self)

    def to_py(self, *, depth=-1, default_converter=None):
        return plain(self)

    def as_py_json(self):
        return self

    def push(self, *values):
        self.extend(values)
        return len(self)

    def slice(self, start=None, end=None):
        return JsArray(self[start:end])

    def concat(self, *lists):
        joined = JsArray(self)
        for part in lists:
            if isinstance(part, list):
                joined.extend(part)
            else:
                joined.append(part)
        return joined

    def join(self, separator=','):
        return separator.join('' if part is None else str(part) for part in self)

    def includes(self, value):
        return value in self

    def indexOf(self, value):
        return self.index(value) if value in self else -1

    def map(self, function):
        return JsArray(map(function, self))

    def filter(self, function):
        return JsArray(filter(function, self))


def wrap(value):
    kind = type(value)
    if kind is dict:
        return JsObject((key, wrap(part)) for key, part in value.items())
    if kind is list:
        return JsArray(map(wrap, value))
    return value


def plain(value):
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return value
`;

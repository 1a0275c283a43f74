/** Python: the names that code in the dialect `python` sees: those of JavaScript with `_` for `$`. */
export const ROOTS = String.raw`
class ExpressionError(Exception):
    def __init__(self, message, description=None):
        super().__init__(message)
        self.description = description


def error_in(part):
    error = part['error']
    return ExpressionError(error['message'], error.get('description'))


def items_of(output, missing):
    if output is None:
        raise ExpressionError(missing)
    if 'error' in output:
        raise error_in(output)
    return output['items']


def at(items, index):
    return items[index] if -len(items) <= index < len(items) else None


class NodeView:
    def __init__(self, name, node, index):
        self.name = name
        self.isExecuted = node['isExecuted']
        self.params = node.get('params') or JsObject()
        self.context = node.get('context') or JsObject()
        self._node = node
        self._index = index

    def all(self, output=None, run=None):
        missing = f"Node '{self.name}' has no such output or run"
        if output is None and run is None:
            return items_of(self._node.get('output'), missing)
        key = f"{'' if output is None else output}/{'' if run is None else run}"
        return items_of((self._node.get('choices') or {}).get(key), missing)

    def first(self, output=None, run=None):
        return at(self.all(output, run), 0)

    def last(self, output=None, run=None):
        return at(self.all(output, run), -1)

    def itemMatching(self, index=None):
        paired = self._node.get('paired') or ()
        index = self._index() if index is None else int(index)
        found = paired[index] if 0 <= index < len(paired) else None
        if found is None:
            raise ExpressionError(
                "Can't get data for expression",
                f"There is no item with index {index} that an item of '{self.name}' could have led to.",
            )
        if isinstance(found, (int, float)):
            return at(self.all(), int(found))
        if 'error' in found:
            raise error_in(found)
        return found['item']

    pairedItem = itemMatching

    @property
    def item(self):
        return self.itemMatching()


class NodesByName:
    """_node: the item of a node at the current item's index."""

    def __init__(self, select, index):
        self._select = select
        self._index = index

    def __getitem__(self, name):
        node = self._select(name)
        item = at(node.all(), self._index())
        if item is None:
            raise ExpressionError(
                "Can't get data for expression",
                f"The node '{name}' has no item with index {self._index()}. Use _('{name}').first() or .item.",
            )
        return JsObject(
            json=item['json'], binary=item.get('binary') or JsObject(), parameter=node.params, context=node.context
        )

    __getattr__ = __getitem__


class Input:
    def __init__(self, data, current):
        self._items = data['items']
        self._current = current
        self.params = data['previous'].get('params') or JsObject()
        self.context = data['previous'].get('context') or JsObject()

    def all(self, *_ignored):
        return self._items

    def first(self, *_ignored):
        return at(self._items, 0)

    def last(self, *_ignored):
        return at(self._items, -1)

    def itemMatching(self, index):
        return at(self._items, index)

    @property
    def item(self):
        return self._current()


class Items(JsArray):
    """_items: the current items, and the function that returns those of a node."""

    __slots__ = ('select',)

    def __call__(self, name=None, output=0, run=-1):
        return self if name is None else self.select(name).all(output, run)


class Item(JsObject):
    """_item: the current item, and the function that returns the names for another one."""

    __slots__ = ('_seen_from',)

    def __call__(self, index):
        return object.__getattribute__(self, '_seen_from')(int(index))


class CustomData:
    MOST, NAME, VALUE = 10, 50, 512

    def __init__(self, values):
        self.values = values
        self.is_asked = False

    def set(self, name, value):
        self.is_asked = True
        if not isinstance(name, str) or re.fullmatch(r'[\w-]+', name, re.ASCII) is None:
            raise ValueError(f'Custom data key must be a string of letters, digits, - and _, but it is {name}')
        if not isinstance(value, (str, int, float, bool)):
            raise TypeError(f'Custom data of "{name}" must be a string or a number')
        key = name[: self.NAME]
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if key in self.values or len(self.values) < self.MOST:
            self.values[key] = text[: self.VALUE]

    def setAll(self, values):
        for name, value in values.items():
            self.set(name, value)

    def get(self, name):
        return self.values.get(name)

    def getAll(self):
        return JsObject(self.values)


class StaticData:
    def __init__(self, values):
        self.values = values
        self.is_asked = False

    def __call__(self, kind):
        if kind not in ('global', 'node'):
            raise ValueError(f'The type "{kind}" of static data is not known. Use "global" or "node".')
        self.is_asked = True
        return self.values[kind]


def refused(name, instead):
    def call(*_values, **_named):
        raise RuntimeError(f'{name} is not available in Python code. {instead}')

    return call


class Roots:
    """The names of one run, which depend on the current item."""

    def __init__(self, data):
        self.data = data
        self.index = 0
        self.static_data = StaticData(data['staticData'])
        self.custom_data = CustomData(data['customData'])

    def current(self):
        return at(self.data['items'], self.index)

    def node_of(self, name, index):
        node = self.data['nodes'].get(name)
        if node is None:
            raise ExpressionError(
                "Referenced node doesn't exist",
                f"The node '{name}' doesn't exist, but it is used in the code here.",
            )
        return NodeView(name, node, index)

    def select(self, name):
        return self.node_of(name, lambda: self.index)

    def seen_from(self, index):
        item = at(self.data['items'], index) or JsObject()

        def select(name):
            return self.node_of(name, lambda: index)

        return JsObject(
            _json=item.get('json', JsObject()),
            _binary=item.get('binary', JsObject()),
            _itemIndex=index,
            _=select,
            _node=NodesByName(select, lambda: index),
        )

    def parameter(self, name, _item_index=None, fallback=None):
        return self.data['node']['parameters'].get(name, fallback)

    def names(self, needs_time):
        data = self.data
        item = self.current() or JsObject()
        items = Items(data['items'])
        items.select = self.select
        current = Item(item)
        object.__setattr__(current, '_seen_from', self.seen_from)
        execution = JsObject(data['execution'])
        execution['customData'] = self.custom_data
        names = {
            '_': self.select,
            '_input': Input(data, self.current),
            '_node': NodesByName(self.select, lambda: self.index),
            '_items': items,
            '_item': current,
            '_json': item.get('json', JsObject()),
            '_data': item.get('json', JsObject()),
            '_binary': item.get('binary', JsObject()),
            '_itemIndex': self.index,
            '_runIndex': data['runIndex'],
            '_workflow': data['workflow'],
            '_execution': execution,
            '_executionId': data['execution']['id'],
            '_mode': data['mode'],
            '_prevNode': data.get('prevNode') or JsObject(),
            '_vars': data['vars'],
            '_env': data['env'],
            '_parameter': data['node']['parameters'],
            '_nodeId': data['node']['id'],
            '_nodeVersion': data['node']['version'],
            '_getWorkflowStaticData': self.static_data,
            'getWorkflowStaticData': self.static_data,
            '_getNodeParameter': self.parameter,
            'getNodeParameter': self.parameter,
            '_if': lambda condition, yes, no: yes if condition else no,
            '_ifEmpty': lambda value, fallback: fallback if value in (None, '', [], {}) else value,
            '_min': min,
            '_max': max,
            '_jmespath': refused('_jmespath', 'Read the fields in Python.'),
            '_evaluateExpression': refused('_evaluateExpression', 'Write the expression as code.'),
        }
        if needs_time:
            now = now_in(data['timezone'])
            names |= {'_now': now, '_today': now.replace(hour=0, minute=0, second=0, microsecond=0)}
        names |= {'item': item} if data['perItem'] else {'items': data['items']}
        return names
`;

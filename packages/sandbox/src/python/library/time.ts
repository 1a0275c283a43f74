/** Python: time without threads, sockets or signals. */
export const TIME = String.raw`
class Never(BaseException):
    """The code waits for something that cannot happen."""


class Waiter:
    """The selector of an event loop: nothing but time can pass here."""

    def select(self, timeout=None):
        if timeout is None:
            raise Never
        if timeout > 0:
            sleep(timeout)
        return []

    def close(self):
        pass


class Loop(asyncio.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = Waiter()

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass


class LoopPolicy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = Loop

    def get_event_loop(self):
        if self._local._loop is None:
            self.set_event_loop(Loop())
        return self._local._loop


def sleep(seconds):
    if seconds < 0:
        raise ValueError('sleep length must be non-negative')
    host('wait', repr(float(seconds) * 1000))


class DateTime(datetime.datetime):
    """_now and _today: a datetime with the usual methods of Luxon."""

    def toISO(self):
        text = self.isoformat(timespec='milliseconds')
        return text.removesuffix('+00:00') + 'Z' if self.utcoffset() == datetime.timedelta(0) else text

    def toISODate(self):
        return self.date().isoformat()

    def toMillis(self):
        return int(self.timestamp() * 1000)

    def toSeconds(self):
        return self.timestamp()

    def plus(self, duration=None, **parts):
        return self + datetime.timedelta(**(duration or {}), **parts)

    def minus(self, duration=None, **parts):
        return self - datetime.timedelta(**(duration or {}), **parts)


def now_in(zone):
    offset = datetime.timedelta(minutes=float(host('offset', zone)))
    return DateTime.now(datetime.timezone(offset, zone))
`;

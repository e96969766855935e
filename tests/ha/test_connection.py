"""What the connection says when it cannot be had, and how it comes back."""

import asyncio
import contextlib
import shlex
import shutil
import ssl
import subprocess
import time

import pytest
import websockets

from homeagent.demo.commands import COMMANDS
from homeagent.demo.failures import CallFailed
from homeagent.demo.inventory import parse_inventory
from homeagent.demo.server import DemoServer
from homeagent.errors import ConfigError, HomeAssistantAuthError, HomeAssistantError, HomeAssistantUnavailable
from homeagent.ha import link
from homeagent.ha.connection import HomeAssistant
from homeagent.ha.rest import RestClient
from tests.contract.houses import eventually

LAMP = {"id": "light.lamp", "name": "Lamp", "state": "off", "attributes": {"supported_color_modes": ["brightness"]}}


@pytest.fixture
async def server():
    async with DemoServer(parse_inventory({"entities": [LAMP]})) as server:
        yield server


@contextlib.asynccontextmanager
async def connected_to(url, token="demo-token", **options):
    ha = HomeAssistant(url, token, **options)
    await ha.start()
    try:
        yield ha
    finally:
        await ha.stop()


async def error_of(url, **options):
    async with connected_to(url, **options) as ha:
        await eventually(lambda: ha.status.error)
        return ha.status.error


@contextlib.asynccontextmanager
async def listening(serve, **options):
    """A TCP server; gives its port."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, **options)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def answering(status, body="<html></html>"):
    async def serve(reader, writer):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            writer.write((head + body).encode())
            await writer.drain()
        writer.close()

    return serve


class Proxy:
    """Passes bytes on to a port, until it is told to swallow them."""

    def __init__(self, port):
        self.port = port
        self.swallows = False
        self.connections = 0
        self._tasks = set()

    async def __call__(self, reader, writer):
        self.connections += 1
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.port)
        for source, sink in ((reader, there_writer), (there_reader, writer)):
            task = asyncio.create_task(self._pass_on(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, source, sink):
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if not self.swallows:
                    sink.write(data)
                    await sink.drain()
            sink.close()


def port_of(server):
    return int(server.url.rpartition(":")[2])


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        ("200 OK", HomeAssistantUnavailable, "not Home Assistant"),
        ("404 Not Found", HomeAssistantUnavailable, "not Home Assistant"),
        ("400 Bad Request", HomeAssistantUnavailable, "trusted_proxies"),
        ("502 Bad Gateway", HomeAssistantUnavailable, "not up"),
        ("401 Unauthorized", HomeAssistantAuthError, "token"),
        ("403 Forbidden", HomeAssistantAuthError, "ip_bans"),
    ],
)
async def test_whatever_else_answers_is_told_apart(status, kind, words):
    async with listening(answering(status)) as port:
        error = await error_of(f"http://127.0.0.1:{port}")
        assert isinstance(error, kind)
        assert words in str(error)
        client = await RestClient.open(f"http://127.0.0.1:{port}", "token")
        with pytest.raises(kind, match=words):
            await client.config()
        await client.close()


async def test_a_websocket_that_is_not_home_assistants_is_told_apart():
    async def greet(socket):
        await socket.send('{"hello": "there"}')
        await socket.wait_closed()

    async with websockets.serve(greet, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        assert "not Home Assistant" in str(await error_of(f"http://127.0.0.1:{port}"))


@pytest.mark.parametrize(
    "banner", [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.0 200 OK\r\n\r\n<html>router</html>", b"\0\xff\r\n"]
)
async def test_what_does_not_even_speak_its_protocol_is_told_apart(banner):
    async def serve(reader, writer):
        writer.write(banner)
        await writer.drain()
        writer.close()

    async with listening(serve) as port:
        assert "not Home Assistant" in str(await error_of(f"http://127.0.0.1:{port}"))


async def test_nothing_there():
    async with listening(answering("200 OK")) as port:
        pass
    assert "Cannot reach" in str(await error_of(f"http://127.0.0.1:{port}"))


async def test_no_such_host():
    assert "No host of that name: no-such-host.invalid" in str(await error_of("http://no-such-host.invalid:8123"))


async def test_one_that_says_nothing():
    async def silent(reader, writer):
        await reader.read()

    async with listening(silent) as port:
        assert "in time" in str(await error_of(f"http://127.0.0.1:{port}", timeout=0.2))


@pytest.mark.parametrize("url", ["", "http://", "ftp://ha.local", "http://ha:0", "http://ha:port", "http://[::1"])
async def test_what_is_no_url(url):
    with pytest.raises(ConfigError, match=r"home_assistant\.url"):
        HomeAssistant(url, "token")


@pytest.mark.parametrize("suffix", ["/", "/api", "/api/", "/api/websocket"])
async def test_a_url_as_people_copy_it(server, suffix):
    address = server.url.removeprefix("http://") + suffix
    for url in (f"http://{address}", f" {address}\n", f"ws://{address}"):
        async with connected_to(url) as ha:
            assert await ha.wait_ready(10), ha.status


@pytest.mark.parametrize("token", ["", "  ", "smart“quotes”", "two words"])
async def test_what_is_no_token(server, token):
    async with connected_to(server.url, token) as ha:
        await eventually(lambda: ha.status.error)
        assert isinstance(ha.status.error, HomeAssistantAuthError)
        with pytest.raises(HomeAssistantAuthError):
            await ha.fire_event("x", {})


async def test_a_token_with_a_line_break_works(server):
    async with connected_to(server.url, "demo-token\n") as ha:
        assert await ha.wait_ready(10)


async def test_a_refused_token_is_not_tried_over_and_over(server):
    """Home Assistant bans an address after some failures."""
    proxy = Proxy(port_of(server))
    async with listening(proxy) as port, connected_to(f"http://127.0.0.1:{port}", "wrong") as ha:
        await eventually(lambda: ha.status.error)
        await asyncio.sleep(1.5)  # anything else would be tried again after half a second
        assert proxy.connections == 1


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A certificate for 127.0.0.1 that no authority of the system knows, and its key."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl here to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        shlex.split(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out ca.pem "
            "-days 2 -subj /CN=home -addext subjectAltName=IP:127.0.0.1"
        ),
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


@contextlib.asynccontextmanager
async def over_tls(server, certificate):
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate / "ca.pem", certificate / "key.pem")
    async with listening(Proxy(port_of(server)), ssl=tls) as port:
        yield f"https://127.0.0.1:{port}"


async def test_a_private_authority_is_trusted_where_it_is_named(server, certificate):
    ca = str(certificate / "ca.pem")
    async with over_tls(server, certificate) as url, connected_to(url, verify=ca) as ha:
        assert await ha.wait_ready(10), ha.status
        await ha.fire_event("over_tls", {})


async def test_without_it_the_error_says_what_to_set(server, certificate):
    async with over_tls(server, certificate) as url:
        assert "home_assistant.ca_file" in str(await error_of(url))
        client = await RestClient.open(url, "demo-token")
        with pytest.raises(HomeAssistantUnavailable, match=r"home_assistant\.ca_file"):
            await client.config()
        await client.close()


async def test_checking_can_be_switched_off(server, certificate):
    async with over_tls(server, certificate) as url, connected_to(url, verify=False) as ha:
        assert await ha.wait_ready(10), ha.status


async def test_a_certificate_that_cannot_be_read_names_the_setting(server, tmp_path):
    (tmp_path / "empty.pem").write_text("")
    for path in (tmp_path / "missing.pem", tmp_path / "empty.pem"):
        error = await error_of("https://127.0.0.1:1", verify=str(path))
        assert isinstance(error, ConfigError)
        assert "home_assistant.ca_file" in str(error)


async def test_https_on_a_plain_port_is_said(server):
    assert "http instead of https" in str(await error_of(server.url.replace("http", "https")))


async def test_a_connection_that_died_silently_is_noticed_and_renewed(server):
    proxy = Proxy(port_of(server))
    async with listening(proxy) as port, connected_to(f"http://127.0.0.1:{port}", keep_alive=0.2, timeout=1) as ha:
        assert await ha.wait_ready(10)
        proxy.swallows = True
        await eventually(lambda: not ha.status.connected)
        server.set_state("light.lamp", "on")
        proxy.swallows = False
        await eventually(lambda: ha.status.connected, 20)
        assert ha.home.state("light.lamp").state == "on"


async def test_what_logs_in_and_then_says_nothing_is_hung_up_on():
    gone = []

    async def serve(socket):
        await socket.send('{"type": "auth_required"}')
        await socket.recv()
        await socket.send('{"type": "auth_ok"}')
        await socket.wait_closed()
        gone.append(socket)

    async with websockets.serve(serve, "127.0.0.1", 0) as silent:
        port = silent.sockets[0].getsockname()[1]
        error = await error_of(f"http://127.0.0.1:{port}", timeout=0.2)
        assert "in time" in str(error)
        await eventually(lambda: gone)


async def test_a_call_that_is_under_way_when_the_connection_dies_fails_at_once(server):
    proxy = Proxy(port_of(server))
    async with listening(proxy) as port, connected_to(f"http://127.0.0.1:{port}") as ha:
        assert await ha.wait_ready(10)
        proxy.swallows = True
        call = asyncio.create_task(ha.call_service("light", "turn_on", entity_ids=["light.lamp"]))
        await asyncio.sleep(0.1)
        started = time.monotonic()
        await server.stop()
        with pytest.raises(HomeAssistantUnavailable, match="lost"):
            await call
        assert time.monotonic() - started < 3


async def test_a_starting_home_assistant_is_waited_for(server, monkeypatch):
    """Before it runs most entities are missing: taking that for the home would empty the index."""
    running = COMMANDS["get_config"]
    monkeypatch.setitem(COMMANDS, "get_config", lambda world, m: running(world, m) | {"state": "STARTING"})
    async with connected_to(server.url) as ha:
        assert not await ha.wait_ready(0.5)
        assert not ha.home.ready
        monkeypatch.setitem(COMMANDS, "get_config", running)
        assert await ha.wait_ready(5)


async def test_one_that_is_shutting_down_is_left_alone(server, monkeypatch):
    running = COMMANDS["get_config"]
    monkeypatch.setitem(COMMANDS, "get_config", lambda world, m: running(world, m) | {"state": "STOPPING"})
    assert "shutting down" in str(await error_of(server.url))


async def test_one_that_starts_forever_is_taken_as_it_is(server, monkeypatch):
    running = COMMANDS["get_config"]
    monkeypatch.setitem(COMMANDS, "get_config", lambda world, m: running(world, m) | {"state": "STARTING"})
    monkeypatch.setattr(link, "STARTING_FOR", 0.3)
    async with connected_to(server.url) as ha:
        assert await ha.wait_ready(5), ha.status


async def test_a_row_of_an_unexpected_shape_is_left_out_and_the_others_are_read(server, monkeypatch):
    rows = [{"no": "id"}, None, {"area_id": "hall", "name": "Hall", "aliases": [None, 5], "labels": None}]
    monkeypatch.setitem(COMMANDS, "config/area_registry/list", lambda world, m: rows)
    async with connected_to(server.url) as ha:
        assert await ha.wait_ready(10), ha.status
        assert [area.name for area in ha.home.areas.values()] == ["Hall"]


async def test_a_time_zone_that_is_not_known_here_is_reported(server, monkeypatch):
    running = COMMANDS["get_config"]
    monkeypatch.setitem(COMMANDS, "get_config", lambda world, m: running(world, m) | {"time_zone": "Mars/Olympus"})
    async with connected_to(server.url) as ha:
        assert await ha.wait_ready(5)
        assert str(ha.home.config.time_zone) == "UTC"
        assert "time zone" in ha.status.warnings[0]


async def test_reload_without_a_connection_says_why_or_makes_one(server):
    await server.stop()
    async with connected_to(server.url) as ha:
        await eventually(lambda: ha.status.error)
        with pytest.raises(HomeAssistantUnavailable, match="Cannot reach"):
            await ha.reload()
        await server.start()
        assert (await ha.reload())["entities"] == 1


async def test_it_can_be_stopped_at_any_time(server):
    for pause in (0, 0.001, 0.01, 0.05):
        async with connected_to(server.url) as ha:
            await asyncio.sleep(pause)
        assert not ha.status.connected or ha.home.ready


async def test_after_stopping_it_is_not_connected(server):
    async with connected_to(server.url) as ha:
        assert await ha.wait_ready(10)
    assert not ha.status.connected
    with pytest.raises(HomeAssistantUnavailable):
        await ha.call_service("light", "turn_on", entity_ids=["light.lamp"])


@pytest.mark.dear
async def test_a_home_of_five_thousand_entities_is_read():
    lamps = [LAMP | {"id": f"light.lamp_{n}", "name": f"Lamp {n}"} for n in range(5000)]
    async with DemoServer(parse_inventory({"entities": lamps})) as large, connected_to(large.url, timeout=30) as ha:
        assert await ha.wait_ready(60), ha.status
        assert len(ha.home.exposed()) == 5000
        assert ha.home.entity("light.lamp_4999").name == "Lamp 4999"


def refuses(world, message):
    raise CallFailed("not now")


async def test_a_reading_that_fails_leaves_the_subscription_there_was(server, monkeypatch):
    async with connected_to(server.url) as ha:
        assert await ha.wait_ready(10)
        listeners = len(server.world.states._listeners)
        with monkeypatch.context() as broken:
            broken.setitem(COMMANDS, "homeassistant/expose_entity/list", refuses)
            for _ in range(3):
                with pytest.raises(HomeAssistantError):
                    await ha.reload()
        server.set_state("light.lamp", "on")
        await eventually(lambda: ha.home.state("light.lamp").state == "on")
        assert len(server.world.states._listeners) == listeners
        await ha.reload()
        assert len(server.world.states._listeners) == listeners
        server.set_state("light.lamp", "off")
        await eventually(lambda: ha.home.state("light.lamp").state == "off")

"""What a fetch gives of the hostile web: nothing of the home's network, nothing endless, nothing that was hidden."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from homeagent.errors import AddressRefused, HomeAgentError, InvalidParameters, TooLarge, WebError
from homeagent.web.fetching import Fetched, Fetcher
from homeagent.web.reading import read_page
from homeagent.web.transport import is_public
from tests.web.conftest import read_here
from tests.web.hostile import (
    CLOSED,
    HIDDEN,
    LOREM,
    OPEN,
    ORDER,
    HostileWeb,
    answer,
    bomb,
    endless,
    endless_head,
    many_members,
    redirect,
    slow,
)

PRIVATE = [
    "127.0.0.1",
    "127.8.8.8",
    "10.0.0.1",
    "172.16.3.4",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.0.8",
    "198.18.0.1",
    "168.63.129.16",
    "240.1.2.3",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "2002:7f00:1::",
    "2002:c0a8:101::",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "::7f00:1",
    "fec0::1",
    "localhost",
    "1",
    "x",
]
PUBLIC = [
    "93.184.216.34",
    "1.1.1.1",
    "2606:4700:4700::1111",
    "64:ff9b::101:101",
    "2a00:1450::1",
]
ENDS = [
    "bomb",
    "members",
    "large",
    "endless",
    "slow",
    "head",
    "broken",
    "brotli",
    "twice",
    "binary",
    "image",
    "error",
    "ssh",
    "silent",
    "short",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_no_address_of_a_home_a_machine_or_a_cloud_is_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_the_web_is_public(address: str) -> None:
    assert is_public(address)


async def test_a_page_is_read_with_who_we_are_and_nothing_else(web: HostileWeb, fetcher: Fetcher) -> None:
    web.html("/", f"<title>Rain</title><main>{LOREM}</main>")
    fetched = await fetcher.fetch(web.url("/"), 5)
    assert (await read_here(fetched, "text")).content.startswith("It rained")
    ((_, line, headers),) = web.asked
    assert line == "GET / HTTP/1.1"
    assert headers["user-agent"].startswith("homeagent/")
    assert "Mozilla" not in headers["user-agent"]
    assert set(headers) == {"host", "accept", "accept-encoding", "connection", "user-agent", ""}


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://good.test/",
        "gopher://good.test/",
        "javascript:alert(1)",
        "data:text/html,hi",
        "good.test/page",
        "http://",
        "http://user:pass@good.test/",
        "http://good.test/" + "a" * 2_000,
        "http://[::1",
    ],
)
async def test_what_is_no_page_is_refused(fetcher: Fetcher, web: HostileWeb, url: str) -> None:
    with pytest.raises(InvalidParameters):
        await fetcher.fetch(url, 2)
    assert web.asked == []


@pytest.mark.parametrize("host", ["127.0.0.2", "inside.test", "both.test", "home.test", "HOME.test."])
async def test_the_homes_network_is_not_reached(fetcher: Fetcher, web: HostileWeb, host: str) -> None:
    web.html("/", "secret")
    web.names = {"inside.test": [[CLOSED]], "both.test": [[OPEN, CLOSED]]}
    with pytest.raises(AddressRefused):
        await fetcher.fetch(web.url("/", host), 2)
    assert web.asked == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
async def test_no_spelling_of_this_machine_is_reached_by_the_real_resolver(web: HostileWeb, host: str) -> None:
    web.html("/", "secret")
    with pytest.raises((AddressRefused, WebError)):
        await Fetcher().fetch(web.url("/", host), 3)
    assert web.asked == []


@pytest.mark.parametrize("port", [22, 25, 53, 445])
async def test_ports_of_other_services_are_refused(fetcher: Fetcher, port: int) -> None:
    with pytest.raises(AddressRefused):
        await fetcher.fetch(f"http://good.test:{port}/", 2)


@pytest.mark.parametrize(
    "target", ["http://{closed}:{port}/in", "http://inside.test:{port}/in", "//{closed}:{port}/in"]
)
async def test_a_redirect_into_the_home_is_not_followed(fetcher: Fetcher, web: HostileWeb, target: str) -> None:
    web.names = {"inside.test": [[CLOSED]]}
    web.html("/in", "secret")
    web.pages["/"] = redirect(target.format(closed=CLOSED, port=web.port))
    with pytest.raises(AddressRefused):
        await fetcher.fetch(web.url("/"), 3)
    assert [line for _, line, _ in web.asked] == ["GET / HTTP/1.1"]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://good.test/", "http://a:b@good.test/"])
async def test_a_redirect_to_what_is_no_page_is_not_followed(fetcher: Fetcher, web: HostileWeb, target: str) -> None:
    web.pages["/"] = redirect(target)
    with pytest.raises(InvalidParameters):
        await fetcher.fetch(web.url("/"), 3)


async def test_a_name_that_changes_between_look_ups_gains_nothing(fetcher: Fetcher, web: HostileWeb) -> None:
    web.names = {"rebind.test": [[OPEN], [CLOSED]]}
    web.html("/", f"<main>{LOREM}</main>")
    await fetcher.fetch(web.url("/", "rebind.test"), 3)
    assert web.looked_up == ["rebind.test"]
    assert [where for where, *_ in web.asked] == [OPEN]
    with pytest.raises(AddressRefused):  # and the next request looks it up, and checks it, anew
        await fetcher.fetch(web.url("/", "rebind.test"), 3)
    assert [where for where, *_ in web.asked] == [OPEN]


async def test_redirects_end(fetcher: Fetcher, web: HostileWeb) -> None:
    web.pages["/"] = redirect("/")
    with pytest.raises(WebError, match="redirects"):
        await fetcher.fetch(web.url("/"), 3)
    assert len(web.asked) == 6


async def test_no_cookie_is_kept_or_sent(fetcher: Fetcher, web: HostileWeb) -> None:
    web.pages["/"] = redirect("/next", "Set-Cookie: id=1; Path=/\r\n")
    web.html("/next", LOREM)
    await fetcher.fetch(web.url("/"), 3)
    await fetcher.fetch(web.url("/next"), 3)
    assert not any("cookie" in headers for *_, headers in web.asked)


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (bomb(500), TooLarge),
        (many_members(), None),
        (answer(b"x" * 5_000_001), TooLarge),
        (endless, TooLarge),
        (slow, WebError),
        (endless_head, WebError),
        (answer(b"\x1f\x8bbroken", more="Content-Encoding: gzip\r\n"), WebError),
        (answer(b"x", more="Content-Encoding: br\r\n"), WebError),
        (answer(b"x", more="Content-Encoding: gzip, gzip\r\n"), WebError),
        (answer(b"MZ", "application/octet-stream"), WebError),
        (answer(b"\x89PNG", "image/png"), WebError),
        (answer(b"no", status="500 Oops"), WebError),
        (b"SSH-2.0-OpenSSH_9.6\r\n", WebError),
        (b"", WebError),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: text/html\r\n\r\nshort", WebError),
    ],
    ids=ENDS,
)
async def test_what_does_not_end_or_is_no_page_ends(
    fetcher: Fetcher, web: HostileWeb, page: Any, error: type[HomeAgentError] | None
) -> None:
    web.pages["/"] = page
    started, waits = time.perf_counter(), asyncio.create_task(longest_pause())
    if error is None:
        assert len((await fetcher.fetch(web.url("/"), 1.5)).body) <= 5_000_000
    else:
        with pytest.raises(error):
            await fetcher.fetch(web.url("/"), 1.5)
    assert time.perf_counter() - started < 4
    waits.cancel()
    assert PAUSES[-1] < 0.5, "the loop was held up"


PAUSES: list[float] = []


async def longest_pause() -> None:
    PAUSES.append(0.0)
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.01)
        PAUSES[-1] = max(PAUSES[-1], time.perf_counter() - before - 0.01)


@pytest.mark.parametrize(
    ("encoded", "declared"),
    [
        ("utf-8", None),
        ("utf-8", "iso-8859-1"),
        ("utf-8", "nonsense"),
        ("utf-8", "rot13"),
        ("utf-8-sig", "ascii"),
        ("utf-16", None),
        ("iso-8859-15", "iso-8859-15"),
        ("windows-1252", "utf-8"),
    ],
)
async def test_it_is_read_in_the_charset_that_it_is_in(
    fetcher: Fetcher, web: HostileWeb, encoded: str, declared: str | None
) -> None:
    body = "<main><p>Überall schöne Grüße aus der Straße, und es läuft über.</p>" + "<p>Größe: außerordentlich</p>" * 9
    web.html("/", body, encoded, declared)
    page = await read_here(await fetcher.fetch(web.url("/"), 3), "text")
    assert page.content.startswith("Überall schöne Grüße aus der Straße")


async def test_korean_is_read_by_what_the_page_says_of_itself(fetcher: Fetcher, web: HostileWeb) -> None:
    web.html("/", "<meta charset=euc-kr><p>오늘은 비가 옵니다.</p>", "euc-kr")
    page = await read_here(await fetcher.fetch(web.url("/"), 3), "text")
    assert (page.content, page.charset) == ("오늘은 비가 옵니다.", "euc_kr")


@pytest.mark.parametrize("how", HIDDEN)
@pytest.mark.parametrize("format", ["markdown", "text", "html"])
async def test_what_people_do_not_see_is_not_read(fetcher: Fetcher, web: HostileWeb, how: str, format: str) -> None:
    from homeagent.prompting.outside import defused

    web.html("/", f"<title>T</title><body><main>{LOREM}{HIDDEN[how]}{LOREM}</main></body>")
    page = await read_here(await fetcher.fetch(web.url("/"), 3), format)
    assert ORDER not in page.content
    assert not any(ord(c) > 0xE0000 for c in defused(page.content))
    assert page.content.count("It rained") == 40


async def test_markdown_has_heads_lists_and_whole_links_and_no_pictures(fetcher: Fetcher, web: HostileWeb) -> None:
    body = (
        "<nav><a href=/menu>Menu</a></nav><main><h1>Rain</h1><ul><li>one<li>two</ul>"
        f"<p><a href='/more?x=1'>more</a> <a href='javascript:x()'>js</a> <img src='http://evil.test/p.png'></p>{LOREM}"
    )
    web.html("/a/", body)
    page = await read_here(await fetcher.fetch(web.url("/a/"), 3), "markdown")
    assert page.content.startswith(f"# Rain\n\n- one\n- two\n\n[more]({web.url('/more?x=1')}) js")
    assert "Menu" not in page.content
    assert "evil" not in page.content


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        (b"<p>" * 1_600_000, 30),  # until the child has used up its processor time
        (b"<div>" * 900_000, 4),
        (b"<!--" * 1_200_000, 4),
        (b"<a href=" * 500_000, 4),
        (b"<b><i>" * 300_000, 4),
    ],
    ids=["many", "deep", "comments", "attributes", "crossed"],
)
async def test_a_page_that_is_made_to_take_hours_ends_and_holds_up_nobody(body: bytes, seconds: float) -> None:
    waits = asyncio.create_task(longest_pause())
    started = time.perf_counter()
    try:
        page = await read_page(Fetched("http://x.test/", "text/html", None, body), "markdown", seconds)
        assert len(page.content) <= 20_000
    except WebError:
        pass
    waits.cancel()
    assert time.perf_counter() - started < 40
    assert PAUSES[-1] < 2.0


@pytest.mark.slow
async def test_a_process_of_its_own_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMEAGENT_LLM__API_KEY", "secret")
    body = f"<title>Rain</title><main><h1>Hi</h1>{LOREM}</main>".encode()
    page = await read_page(Fetched("http://x.test/", "text/html", None, body), "markdown")
    assert (page.title, page.content[:4], page.cut) == ("Rain", "# Hi", False)

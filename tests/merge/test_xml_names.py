"""What XML gives under a name, and what Maven gives once."""

import pytest

from syncline.merge.acceptance import Acceptance
from syncline.merge.doubled_names import doubled_names
from syncline.merge.hunks import split_lines
from syncline.merge.ladder.settle import assemble
from syncline.merge.proposals import propose_all
from syncline.merge.xml_names import names_in_xml
from testing.cases import file_case


@pytest.mark.parametrize(
    "text",
    [
        b'<string name="b">1</string>\n<string name="b">2</string>\n',
        b'<package id="b" version="1" />\n<package id="b" version="2" />\n',
        b"<PackageReference Include='b' Version='1'/>\n<PackageReference Version='2' Include='b'/>\n",
        b'<data name="b">\n  <value>1</value>\n</data>\n<data name="b">\n  <value>2</value>\n</data>\n',
        b"<dependency>\n<artifactId>b</artifactId>\n<artifactId>c</artifactId>\n</dependency>\n",
        b"<artifactId>b</artifactId>\n<artifactId>c</artifactId>\n",
        b"<artifactId>b</artifactId>\n<version>1</version>\n<version>2</version>\n",
        (
            b"<dependency><groupId>a</groupId><artifactId>b</artifactId><version>1</version></dependency>\n"
            b"<dependency><groupId>a</groupId>\n<artifactId> b </artifactId></dependency>\n"
        ),
        b'</a>\n<s name="b"/>\n<s name="b"/>\n',
        b'<s name="b">\n<unclosed>\n</s>\n<s name="b"/>\n',
    ],
)
def test_what_stands_twice_in_one_parent(text: bytes) -> None:
    assert max(names_in_xml(split_lines(text)).values()) == 2


@pytest.mark.parametrize(
    "text",
    [
        b'<a name="x"><s name="b"/></a>\n<a name="y"><s name="b"/></a>\n',
        b'<s name="b"/>\n</a>\n<a>\n<s name="b"/>\n',
        b'<string name="b" product="tablet">1</string>\n<string name="b" product="default">2</string>\n',
        b'<integer name="b">1</integer>\n<string name="b">2</string>\n',
        b'<s name="b"/>\n<!-- <s name="b"/> -->\n<![CDATA[ <s name="b"/> ]]>\n',
        b"<artifactId>b</artifactId>\n</dependency>\n<dependency>\n<artifactId>c</artifactId>\n",
        b"<versions>\n<version>1</version>\n<version>2</version>\n</versions>\n",
        (
            b"<dependency><artifactId>b</artifactId></dependency>\n"
            b"<dependency><artifactId>b</artifactId><type>test-jar</type></dependency>\n"
        ),
        (
            b"<dependency><artifactId>b</artifactId><exclusions><exclusion><artifactId>c</artifactId></exclusion>"
            b"</exclusions></dependency>\n"
        ),
        b"<module>b</module>\n<p>b</p>\n",
    ],
)
def test_what_may_stand_beside_each_other(text: bytes) -> None:
    assert max(names_in_xml(split_lines(text)).values(), default=1) == 1


@pytest.mark.parametrize("path", [b"pom.xml", b"strings.xml", b"a.csproj", b"a.pom"])
def test_an_answer_that_doubles_an_entry_is_told(path: bytes) -> None:
    ours, theirs = b'<s name="b">1</s>\n', b'<s name="b">2</s>\n'
    (hunk,) = file_case(*(b"<r>\n" + text + b"</r>\n" for text in (b"", ours, theirs)), path=path).hunks
    assert list(doubled_names(hunk, (ours, theirs))) == ['names s name="b" twice, as neither side does']
    assert not list(doubled_names(hunk, (ours,)))


def test_a_dependency_that_git_cut_in_the_middle_has_one_artifact() -> None:
    def pom(*names: bytes) -> bytes:
        form = b"  <dependency>\n    <groupId>g</groupId>\n    <artifactId>%s</artifactId>\n  </dependency>\n"
        return b"<dependencies>\n" + b"".join(form % name for name in names) + b"</dependencies>\n"

    case = file_case(pom(b"a"), pom(b"a", b"b"), pom(b"a", b"c"), path=b"pom.xml")
    (hunk,) = case.hunks
    judge = Acceptance(case)

    def faults(lines: tuple[bytes, ...]) -> list[str]:
        return [*doubled_names(hunk, lines), *judge.file_faults(assemble(case, [lines]))]

    assert faults((*hunk.ours, *hunk.theirs))
    good = [assemble(case, [offer.lines]) for offer in propose_all(case) if not faults(offer.lines)]
    assert all(content.count(b"<artifactId>") == content.count(b"<dependency>") for content in good)


@pytest.mark.parametrize(
    "piece", [b"<!--", b"<![CDATA[", b"<a", b"</b>", b"<a></b>", b"<a ='", b"<a>", b'<s name="']
)
def test_broken_text_is_read_in_one_pass(piece: bytes) -> None:
    assert not names_in_xml([piece * 40_000])

"""What a mistake in the file is answered with: line, key and text."""

from pathlib import Path

import pytest

from syncline.config.load import load
from syncline.errors import ConfigError

LANE = 'version = 1\n[lanes.x]\nsource = "main"\ntarget = "dev"\n'  # four lines


def told(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "syncline.toml"
    file.write_bytes(text.encode())
    with pytest.raises(ConfigError) as raised:
        load(file)
    assert raised.value.hint
    return raised.value.message.split("\n")


@pytest.mark.parametrize(
    ("lines", "line", "key", "text"),
    [
        ("slise = 1", 5, "slise", 'unknown key; did you mean "slice"? allowed: agents, attempts, audit, branch, '),
        (
            "signoff = true",
            5,
            "signoff",
            "unknown key; it belongs in [lanes.x.identity]; allowed: agents, attempts, audit, br",
        ),
        ("name = 'x'", 5, "name", "unknown key; it belongs in [lanes.x.identity] or [[lanes.x.coupled]]"),
        ('"a\\nb" = 1', 5, '"a\\nb"', "unknown key; allowed: "),
        ("slice = -1", 5, "slice", "found -1; wanted at least 0"),
        ("slice = '5'", 5, "slice", 'found "5"; wanted a whole number'),
        ("slice = 5.0", 5, "slice", "found 5.0; wanted a whole number"),
        ("slice = true", 5, "slice", "found true; wanted a whole number"),
        ("slice = 2026-11-29", 5, "slice", "found 2026-11-29; wanted a whole number"),
        ("forge = 'github'", 5, "forge", 'need a target that lives there; name its remote by "remote"'),
        ("forge = 'gitlab'", 5, "forge", 'found "gitlab"; allowed: "local" or "github"'),
        ("precision = 0.5", 5, "precision", "found 0.5; wanted more than 0.5"),
        ("precision = 95", 5, "precision", "found 95; wanted at most 1"),
        ("precision = nan", 5, "precision", "found nan; wanted a finite number"),
        ("precision = 'high'", 5, "precision", 'found "high"; wanted a number'),
        ("unresolved = 'our'", 5, "unresolved", 'found "our"; allowed: "ours", "theirs" or "markers"'),
        ("learned = '../a'", 5, "learned", 'found "../a"; wanted "git-directory" or the path of a file inside'),
        ("learned = '/a'", 5, "learned", 'wanted "git-directory" or the path of a file inside the repository'),
        ("learned = '.git/a'", 5, "learned", 'wanted "git-directory" or the path of a file inside the repository'),
        ("learned = ''", 5, "learned", 'found ""; wanted "git-directory"'),
        ("labels = 'sync'", 5, "labels", 'found "sync"; wanted a list'),
        ("labels = [\n'a',\n5]", 7, "labels[1]", "found 5; wanted a text in quotes"),
        ("labels = [\n'a',\n'A']", 7, "labels[1]", '"A" is there twice'),
        ("labels = ['']", 5, "labels[0]", 'found ""; wanted 1 to 50 printable characters'),
        ("checks_parallel = 0", 5, "checks_parallel", "found 0; wanted at least 1"),
        ("remote = 'https://u:p@host/x'", 5, "remote", "wanted the name of a remote, not its address"),
        ("remote = 'a b'", 5, "remote", "it contains a space"),
        ("branch = '{foo}'", 5, "branch", "unknown field {foo}; allowed: {date}, {lane}, {slice}, "),
        ("branch = '{date:%Q}'", 5, "branch", "unknown date format '%Q'"),
        ("branch = 'a {date}'", 5, "branch", 'renders "a 2026-11-29", which is no branch name: it contains a sp'),
        ("branch = '{target}'", 5, "branch", 'renders "dev", which is the lane\'s target'),
        ("branch = '{source}'", 5, "branch", 'renders "main", which is the lane\'s source'),
        ("branch = 'dev/{date}'", 5, "branch", 'git cannot keep beside the target "dev"'),
        ("branch = ''", 5, "branch", 'found ""; wanted a template'),
        ("title = '{sha}'", 5, "title", "unknown field {sha}"),
        (f"title = '{'x' * 257}'", 5, "title", "renders 257 characters; at most 256 are allowed"),
        ('title = "a\\nb"', 5, "title", "on one line"),
        ("ci_trigger = '{date}'", 5, "ci_trigger", "unknown field {date}; allowed: {lane}, {sha}"),
        ("schedule = '0 25 * * *'", 5, "schedule", "hour: found '25'; wanted 0..23"),
        ("time_zone = 'Europe/Berln'", 5, "time_zone", 'did you mean "Europe/Berlin"?'),
        ("time_zone = '../UTC'", 5, "time_zone", 'found "../UTC"; wanted a time zone'),
        ("time_zone = 'Europe'", 5, "time_zone", 'found "Europe"; wanted a time zone'),
        ("[lanes.x.identity]\nname = 'a'", 5, "identity.email", "missing; it is required"),
        ("[lanes.x.identity]\nname = 'a<b'\nemail = 'a'", 6, "identity.name", "without <, >"),
        ("[lanes.x.identity]\nname = 'a'\nemail = \"a\\nb\"", 7, "identity.email", "wanted one line"),
        ("[lanes.x.identity]\nname = '.,'\nemail = 'a'", 6, "identity.name", "more than punctuation"),
        ("[lanes.x.signing]\nformat = 'gpg'\nkey = 'a'", 6, "signing.format", 'allowed: "ssh" or "openpgp"'),
        ("[lanes.x.signing]\nformat = 'ssh'\nkey = '-a'", 7, "signing.key", "may not start with a dash"),
        ("[[lanes.x.identity]]", 5, "identity", "found a list of 1; wanted a table: write [lanes.x.identity]"),
        ("[lanes.x.paths]", 5, "paths", "found a table; wanted a list of tables: write [[lanes.x.paths]]"),
        ("[[lanes.x.path]]", 5, "path", 'unknown key; did you mean "paths"?'),
        ("[[lanes.x.paths]]\nmatch = ['a']", 5, "paths[0].take", "missing; it is required"),
        ("[[lanes.x.paths]]\ntake = 'ours'\nmatch = []", 7, "paths[0].match", "found an empty list; wanted at l"),
        (
            "[[lanes.x.paths]]\ntake = 'ours'\nmatch = ['a',\n'!b']",
            8,
            "paths[0].match[1]",
            "the first match wins, so put an earlier rule",
        ),
        ("[[lanes.x.paths]]\ntake = 'ours'\nmatch = ['']", 7, "paths[0].match[0]", "that can match a path"),
        ("[[lanes.x.paths]]\ntake = 'ours'\nmatch = ['/']", 7, "paths[0].match[0]", "that can match a path"),
        ("[[lanes.x.paths]]\ntake = 'ours'\nmatch = ['#a']", 7, "paths[0].match[0]", "is a comment"),
        ("[[lanes.x.paths]]\ntake = 'ours'\nmatch = ['./a']", 7, "paths[0].match[0]", 'leave out "./"'),
        ('[[lanes.x.paths]]\ntake = "ours"\nmatch = ["a\\u0000"]', 7, "paths[0].match[0]", "without NUL"),
        (
            "[[lanes.x.paths]]\nmatch = ['a']\ntake = 'protect'\nwhen = 'always'",
            8,
            "paths[0].when",
            '"protect" always applies; it takes no "when"',
        ),
        (
            "[[lanes.x.paths]]\nmatch = ['a']\ntake = 'combine'\nwhen = 'always'",
            8,
            "paths[0].when",
            '"combine" settles conflicts; it cannot be "always"',
        ),
        (
            "[[lanes.x.paths]]\nmatch = ['a']\ntake = 'ours'\nline = 5",
            8,
            "paths[0].line",
            "unknown key; allowed: match, reason, take, when",
        ),
        (
            "[[lanes.x.coupled]]\nname = 'a'\npaths = ['b']\ntake = 'union'",
            8,
            "coupled[0].take",
            'found "union"; allowed: "together", "ours" or "theirs"',
        ),
        (
            "coupled = [{name = 'a', paths = ['b'], take = 'ours'},\n{name = 'A', paths = ['b'], take = 'ours'}]",
            6,
            "coupled[1].name",
            '"A" is already the name of coupled[0]',
        ),
        (
            "[[lanes.x.drivers]]\nname = 'a'\ncommand = ['b', '%O', '%%A']\nmatch = ['c']",
            7,
            "drivers[0].command",
            "has no %A, the file that it must leave merged",
        ),
        (
            "[[lanes.x.drivers]]\nname = 'a'\ncommand = ['b', '%A']\nmatch = ['c']\nline = 1",
            9,
            "drivers[0].line",
            "unknown key; allowed: command, match, name, timeout",
        ),
        (
            "[[lanes.x.formatters]]\nname = 'a'\ncommand = ['b']\nmatch = ['c']\ntimeout = 0",
            9,
            "formatters[0].timeout",
            "found 0; wanted more than 0",
        ),
        (
            (
                "[[lanes.x.repair.regenerate]]\nname = 'a'\nmatch = ['b']\ncommand = ['c']\ninputs = ['d']\n"
                "[[lanes.x.repair.regenerate]]\nname = 'A'\nmatch = ['b']\ncommand = ['c']\ninputs = ['d']"
            ),
            11,
            "repair.regenerate[1].name",
            '"A" is already the name of repair.regenerate[0]',
        ),
        (
            "[[lanes.x.repair.golden]]\nmatch = ['a']\ncheck = '('\nartifact = 'b'",
            7,
            "repair.golden[0].check",
            "wanted a regular expression",
        ),
        (
            "[[lanes.x.repair.whole]]\nmatch = ['a']\ntake = 'union'",
            7,
            "repair.whole[0].take",
            'found "union"; allowed: "ours" or "theirs"',
        ),
        (
            "[[lanes.x.checks]]\nname = 'a'\ncommand = 'make'",
            7,
            "checks[0].command",
            'found "make"; wanted a list',
        ),
        ("[[lanes.x.checks]]\nname = 'a'\ncommand = []", 7, "checks[0].command", "wanted a command as a list"),
        ("[[lanes.x.checks]]\nname = ''\ncommand = ['a']", 6, "checks[0].name", "printable characters"),
        (
            "[[lanes.x.checks]]\nname = 'a'\ncommand = ['a']\nselect = ['pytest', '-k={tests}']",
            8,
            "checks[0].select",
            'wanted the word "{tests}" once, as an argument of its own',
        ),
        (
            "[[lanes.x.checks]]\nname = 'a'\ncommand = ['a']\nselect = ['{tests}']",
            8,
            "checks[0].select",
            'wanted the word "{tests}" once, as an argument of its own',
        ),
        (
            "[[lanes.x.triage.transient]]\nmatch = 'a*'\ncause = 'flaky'\nsays = 'b'",
            6,
            "triage.transient[0].match",
            '"a*" fits every message',
        ),
        (
            "[lanes.x.triage]\ndispatch = 'parents.yml'",
            6,
            "triage.dispatch",
            'is only for lanes with forge = "github"',
        ),
        (
            "[lanes.x.triage]\nartifacts = ['(']",
            6,
            "triage.artifacts[0]",
            "regular expression",
        ),
        (
            "[[lanes.x.triage.transient]]\nmatch = 'a'\ncause = 'sync'\nsays = 'b'",
            7,
            "triage.transient[0].cause",
            'found "sync"; allowed: "infrastructure", "dependency" or "flaky"',
        ),
        ("[lanes.x.triage]\nrun_parents_for = 0.0", 6, "triage.run_parents_for", "wanted more than 0"),
        (
            "[[lanes.x.checks]]\nname = 'a'\ncommand = ['a']\nneeds = ['b']",
            8,
            "checks[0].needs",
            'no check is named "b"; there is no other check',
        ),
        (
            "[[lanes.x.checks]]\nname = 'a'\ncommand = ['a']\nneeds = ['a']",
            8,
            "checks[0].needs",
            'checks need each other in a circle: "a" -> "a"',
        ),
        (
            "checks = [\n{name='a', command=['x'], needs=['c']}, {name='b', command=['x'], needs=['a']},\n\
{name='c', command=['x'], needs=['b']}]",
            6,
            "checks[0].needs",
            'in a circle: "a" -> "c" -> "b" -> "a"',
        ),
        ("[lanes.x.gate]\nrequired = ['(']", 6, "gate.required[0]", "wanted a regular expression; missing ), unt"),
        ("[lanes.x.gate]\nexempt = ['']", 6, "gate.exempt[0]", "an empty one matches every name"),
        ("[lanes.x.gate]\nsentinel = ' a'", 6, "gate.sentinel", 'found " a"; wanted a list'),
        ("[lanes.x.gate]\nallow_no_checks = 1", 6, "gate.allow_no_checks", "found 1; wanted true or false"),
        ("[lanes.x.gates]", 5, "gates", 'unknown key; did you mean "gate"?'),
        ("[[lanes.x.audit]]", 5, "audit", "found a list of 1; wanted a table: write [lanes.x.audit]"),
        ("[lanes.x.audit]\nskip = 'imports'", 6, "audit.skip", 'found "imports"; wanted a list'),
        ("[lanes.x.audit]\nignore = ['!a']", 6, "audit.ignore[0]", "the first match wins"),
        ("[lanes.x.audit]\nlargest_file = 0", 6, "audit.largest_file", "found 0; wanted at least 1"),
        ("[lanes.x.audit]\nlargest = 1", 6, "audit.largest", 'unknown key; did you mean "largest_file"?'),
        ("largest_file = 1", 5, "largest_file", "unknown key; it belongs in [lanes.x.audit]; allowed: "),
        (
            "[lanes.x.audit.checkers]\nname = 'a'",
            5,
            "audit.checkers",
            "found a table; wanted a list of tables: write [[lanes.x.audit.checkers]]",
        ),
        ("[[lanes.x.checkers]]", 5, "checkers", "unknown key; did you mean"),
        (
            "[[lanes.x.audit.checkers]]\nname = 'a'\ncommand = ['b']\nmatch = ['c']\nformat = 'xml'",
            9,
            "audit.checkers[0].format",
            'found "xml"; allowed: "sarif", "json" or "lines"',
        ),
        (
            "[[lanes.x.audit.checkers]]\nname = 'a'\ncommand = ['b']\nmatch = ['c']\nformat = 'sarif'\nenv = 'd'",
            10,
            "audit.checkers[0].env",
            "unknown key; it belongs in [[lanes.x.checks]]; allowed: command, format, match, name, rules, timeout",
        ),
        (
            "[lanes.x.audit]\ncheckers = [{name = 'a', command = ['b'], match = ['c'], format = 'json'},\n\
{name = 'A', command = ['b'], match = ['c'], format = 'lines'}]",
            7,
            "audit.checkers[1].name",
            '"A" is already the name of audit.checkers[0]',
        ),
        ("[lanes.x.waivers]", 5, "waivers", "wanted a list of tables: write [[lanes.x.waivers]]"),
        ("[[lanes.x.agents]]", 5, "agents", "write [lanes.x.agents]"),
        ("[lanes.x.agents.ask]", 5, "agents.ask", "write [[lanes.x.agents.ask]]"),
        ("[[lanes.x.agents.ask]]\nname = 'a'", 5, "agents.ask[0]", "found neither of command and model"),
        (
            "[[lanes.x.agents.ask]]\nname = 'a'\ncommand = ['b']\nmodel = 'c:d'",
            5,
            "agents.ask[0]",
            "found both of command and model",
        ),
        (
            "[[lanes.x.agents.ask]]\nname = 'a'\nmodel = 'c:d'\nnetwork = true",
            8,
            "agents.ask[0].network",
            "is for commands only",
        ),
        (
            "[[lanes.x.agents.ask]]\nname = 'a'\ncommand = ['b']\npass_env = ['s3cret!']",
            8,
            "agents.ask[0].pass_env[0]",
            "found a text; wanted",
        ),
        ("[lanes.x.agents]\nagree = true", 6, "agents.agree", "needs two agents to ask; there is none"),
        (
            "[[lanes.x.agents.must_pass]]\nname = 'a'\ncommand = []",
            7,
            "agents.must_pass[0].command",
            "wanted",
        ),
        (
            "[[lanes.x.waivers]]\nfinding = '0123456789ab'\ncode = '0123456789abcdef'",
            5,
            "waivers[0].because",
            "missing; it is required",
        ),
        (
            "[[lanes.x.waivers]]\nfinding = '0123'\ncode = '0123456789abcdef'\nbecause = 'b'",
            6,
            "waivers[0].finding",
            'found "0123"; wanted 12 hexadecimal digits',
        ),
        (
            "[[lanes.x.waivers]]\nfinding = '0123456789ab'\ncode = 'x'\nbecause = 'b'",
            7,
            "waivers[0].code",
            'found "x"; wanted 16 hexadecimal digits',
        ),
        (
            "[[lanes.x.waivers]]\nfinding = '0123456789ab'\ncode = '0123456789abcdef'\nbecause = 'b'\non = 'May'",
            9,
            "waivers[0].on",
            'found "May"; wanted a date without quotes, as in 2026-11-30',
        ),
    ],
)
def test_one_mistake(tmp_path: Path, lines: str, line: int, key: str, text: str) -> None:
    (found,) = told(tmp_path, LANE + lines + "\n")
    assert found.startswith(f"syncline.toml:{line}: lanes.x.{key}: ")
    assert text in found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('version = 2\nlane = "x"', "syncline.toml:1: version: found 2; this syncline reads version 1"),
        ("\nversion = true", "syncline.toml:2: version: found True; this syncline reads version 1"),
        ("version = 1", "syncline.toml:1: lanes: missing; wanted at least one table [lanes.NAME]"),
        ("version = 1\n[lanes]", "syncline.toml:2: lanes: missing; wanted at least one table [lanes.NAME]"),
        ("version = 1\nlanes = 5", "syncline.toml:2: lanes: found 5; wanted a table"),
        ("version = 1\n[lanes]\nx = 'y'", 'syncline.toml:3: lanes.x: found "y"; wanted a table'),
        (LANE[12:], "syncline.toml:1: version: missing; write version = 1"),
        (LANE + "[lane.x]", 'syncline.toml:5: lane: unknown key; did you mean "lanes"? allowed: lanes, version'),
        (LANE.replace("dev", "main"), 'syncline.toml:4: lanes.x.target: found "main", which is source too;'),
        (LANE.replace("dev", "a..b"), 'syncline.toml:4: lanes.x.target: found "a..b"; wanted a branch name'),
        (LANE.replace("[lanes.x]", '[lanes."x y"]'), 'syncline.toml:2: lanes."x y": found "x y"; a lane\'s name'),
        (LANE.replace("[lanes.x]", "[lanes.-x]"), 'syncline.toml:2: lanes.-x: found "-x"; a lane\'s name'),
        (LANE + LANE[12:].replace("x", "X"), 'syncline.toml:5: lanes.X: differs only by case from the lane "x"'),
        (
            LANE + 'branch = "b/{date}"\n' + LANE[12:].replace("x", "y") + "branch = 'b/{date:%Y-%m-%d}'",
            'syncline.toml:9: lanes.y.branch: renders "b/2026-11-29", as lane "x" does; put {lane} in one',
        ),
    ],
)
def test_one_mistake_of_the_file(tmp_path: Path, text: str, found: str) -> None:
    (line,) = told(tmp_path, text)
    assert line.startswith(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("version = 1\n[lanes.x\n", "syncline.toml:2:9: not valid TOML: Expected ']'"),
        ("version = 1\r\nsource = main\r\n", "syncline.toml:2:10: not valid TOML: Invalid value"),
        ("a = 1\na = 2\n", "syncline.toml:2:6: not valid TOML: Cannot overwrite a value"),
        ("\n\na = [1,", "syncline.toml:3: not valid TOML: "),
        (f"a = {'9' * 5000}", "syncline.toml: not valid TOML: "),
        (f"a = {'[' * 20000}", "syncline.toml"),
    ],
)
def test_what_is_no_toml(tmp_path: Path, text: str, found: str) -> None:
    (line,) = told(tmp_path, text)
    assert line.startswith(found)


def test_all_mistakes_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = """\
version = 1
[lanes.x]
target = "dev"
slise = 1
branch = "{foo}"
[[lanes.x.checks]]
name = "a"
command = ["a"]
needs = ["b"]
[[lanes.x.checks]]
name = "a"
command = 5
[lanes.y]
source = "dev"
target = "dev"
"""
    found = told(tmp_path, text)
    assert [line.split(": ")[:2] for line in found] == [
        ["syncline.toml:2", "lanes.x.source"],
        ["syncline.toml:4", "lanes.x.slise"],
        ["syncline.toml:5", "lanes.x.branch"],
        ["syncline.toml:9", "lanes.x.checks[0].needs"],
        ["syncline.toml:11", "lanes.x.checks[1].name"],
        ["syncline.toml:12", "lanes.x.checks[1].command"],
        ["syncline.toml:15", "lanes.y.target"],
    ]


def test_mistakes_without_end_are_cut(tmp_path: Path) -> None:
    found = told(tmp_path, LANE + "".join(f"k{number} = 1\n" for number in range(500)))
    assert len(found) == 201
    assert found[-1] == "syncline.toml: and 300 more"


@pytest.mark.parametrize(
    "env",
    [
        'env = { A = "s3cret\\u0000" }',
        'env = { "A=" = "s3cret" }',
        'env = "A=s3cret"',
        'env = ["A=s3cret"]',
        'env = [["A", "s3cret"]]',
        'env = [{ A = "s3cret" }]',
        'env = { A = ["s3cret"] }',
        'env = { A = { B = "s3cret" } }',
        'envv = { A = "s3cret" }',
        'env = { A = 1, B = "s3cret" }',
    ],
)
def test_values_of_the_environment_are_never_told(tmp_path: Path, env: str) -> None:
    found = told(tmp_path, f"{LANE}[[lanes.x.checks]]\nname = 'a'\ncommand = ['a']\n{env}\n")
    assert all(line.startswith("syncline.toml:8: lanes.x.checks[0].env") for line in found)
    assert "s3cret" not in "".join(found)
    wrong_table = told(tmp_path, f'{LANE}[lanes.x.checks]\nenv = {{ A = "s3cret" }}\n')
    assert "s3cret" not in "".join(wrong_table)


def test_a_wrong_variable_is_told_with_its_own_line(tmp_path: Path) -> None:
    text = f"{LANE}[[lanes.x.checks]]\nname = 'a'\ncommand = ['a']\n[lanes.x.checks.env]\nA = 'a'\nB = 1\n"
    assert told(tmp_path, text) == ["syncline.toml:10: lanes.x.checks[0].env.B: found 1; wanted a text in quotes"]


def test_long_values_are_shortened(tmp_path: Path) -> None:
    (line,) = told(tmp_path, f'{LANE}unresolved = "{"x" * 5000}"')
    assert len(line) < 200

"""Files of entries, each of which has a name that may stand in a file once."""

FORMATS: list[tuple[bytes, bytes, bytes, bytes]] = [
    (b"a.yaml", b"", b"NAME: VALUE\n", b""),
    (b"a.json", b"{\n", b'  "NAME": VALUE,\n', b'  "end": 0\n}\n'),
    (b"a.cs", b"class A {\n", b"    int NAME = VALUE;\n", b"}\n"),
    (b"a.scala", b"class A {\n", b"  def NAME(): Int = VALUE\n", b"}\n"),
    (b"A.java", b"class A {\n", b"    int NAME = VALUE;\n", b"}\n"),
    (b"a.h", b"", b"#define NAME VALUE\n", b""),
    (b"a.csproj", b"<P>\n", b'  <PackageReference Include="NAME" Version="VALUE" />\n', b"</P>\n"),
    (b"a.properties", b"", b"NAME = VALUE\n", b""),
    (b"a.ini", b"[s]\n", b"NAME = VALUE\n", b""),
    (b".env", b"", b"NAME=VALUE\n", b""),
    (b"requirements.txt", b"", b"NAME==VALUE\n", b""),
    (b"go.mod", b"module x\n\nrequire (\n", b"\texample.org/NAME v1.VALUE.0\n", b")\n"),
    (b"a.go", b"package a\n\nimport (\n", b'\t"mVALUE/NAME"\n', b")\n"),
    (b".gitignore", b"", b"NAME\n", b""),
    (b"CODEOWNERS", b"", b"/NAME @oVALUE\n", b""),
    (b"a.kt", b"", b"val NAME = f(VALUE)\n", b""),
    (b"a.kt", b"class A(\n    val k: Int,\n) {\n", b"    private val NAME = f(VALUE)\n", b"}\n"),
    (b"a.proto", b"message A {\n", b"  int32 f_NAME_VALUE = NUMBER;\n", b"}\n"),
    (b"a.toml", b"[project]\ndependencies = [\n", b'    "NAME>=VALUE",\n', b"]\n"),
    (b"Makefile", b"", b"NAME := VALUE\n", b""),
    (b"a.tf", b"", b'resource "a" "NAME" {\n  x = VALUE\n}\n', b""),
    (b"a.ts", b"", b"const NAME = f(VALUE)\n", b""),
    (b"a.py", b"", b"NAME = f(VALUE)\n", b""),
    (b"a.rs", b"", b"const NAME: u8 = VALUE;\n", b""),
    (b"A.java", b"", b"import mVALUE.NAME;\n", b""),
    (b"strings.xml", b"<resources>\n", b'  <string name="NAME">VALUE</string>\n', b"</resources>\n"),
    (
        b"pom.xml",
        b"<d>\n",
        b"  <dependency>\n    <artifactId>NAME</artifactId>\n    <version>VALUE</version>\n  </dependency>\n",
        b"</d>\n",
    ),
]
"""A path, what stands above the entries, an entry's form, and what stands below them."""


def entry(form: bytes, name: bytes, value: int) -> bytes:
    """Return an entry; its name is a letter, or a letter and digits."""
    number = b"%d" % (100 + name[0] if len(name) == 1 else int(name[1:]))
    return form.replace(b"NAME", name).replace(b"VALUE", b"%d" % value).replace(b"NUMBER", number)

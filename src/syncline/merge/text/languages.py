"""What must be known of each language: its grammar, and what must not stand twice in one place. Data only.

A language is a few tree-sitter query patterns (`@u` marks the unit) by the word a person would use for it.
The node names are those of the grammars' own `node-types.json`.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Language:
    """One language, by its tree-sitter grammar."""

    name: str
    module: str
    """The package of the grammar."""
    function: str = "language"
    """Which grammar of the package."""
    once: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What may stand only once under a name in one scope: the word for it, and the query patterns that find it."""
    wrappers: frozenset[str] = frozenset()
    """Nodes between such a unit and its scope."""
    overloads: bool = False
    """Whether functions of one name may differ by their parameters."""
    comments: frozenset[str] = frozenset({"comment"})
    """Nodes that belong to what follows them."""
    bodies: frozenset[str] = frozenset()
    """Nodes whose children are units that stand in any number beside each other."""


def _types(*names: str) -> tuple[str, ...]:
    return tuple(f"({name}) @u" for name in names)


_PYTHON = Language(
    "Python",
    "tree_sitter_python",
    once={
        "function": _types("function_definition"),
        "class": _types("class_definition"),
        "field": ("(class_definition body: (block (expression_statement (assignment left: (identifier)) @u)))",),
        "parameter": (
            "(parameters [(identifier) (default_parameter) (typed_parameter) (typed_default_parameter)] @u)",
        ),
        "argument": ("(argument_list (keyword_argument) @u)",),
        "key": ("(dictionary (pair key: [(string) (integer)]) @u)",),
        "import": ("(import_from_statement name: (_) @u)", "(import_statement name: (_) @u)"),
    },
    wrappers=frozenset(
        {
            "decorated_definition",
            "expression_statement",
            "import_from_statement",
            "import_statement",
        }
    ),
    bodies=frozenset({"module", "block", "dictionary", "parameters", "argument_list", "list", "tuple", "set"}),
)

_SCRIPT: dict[str, tuple[str, ...]] = {
    "function": _types("function_declaration", "generator_function_declaration", "method_definition"),
    "class": _types("class_declaration"),
    "key": ("(object (pair) @u)", "(object (shorthand_property_identifier) @u)"),
    "import": (
        "(named_imports (import_specifier) @u)",
        "(import_clause [(identifier) (namespace_import)] @u)",
    ),
    "variable": (
        "(lexical_declaration (variable_declarator name: (identifier)) @u)",
        "(object_pattern [(shorthand_property_identifier_pattern) (object_assignment_pattern)] @u)",
    ),
}
_SCRIPT_WRAPPERS = frozenset(
    {
        "export_statement",
        "lexical_declaration",
        "import_statement",
        "import_clause",
        "named_imports",
    }
)
_SCRIPT_BODIES = frozenset({
    "program", "class_body", "statement_block", "object", "array", "formal_parameters", "arguments",
    "interface_body", "enum_body", "object_type", "named_imports", "export_clause",
})  # fmt: skip
_JAVASCRIPT = Language(
    "JavaScript",
    "tree_sitter_javascript",
    once=_SCRIPT
    | {
        "field": _types("field_definition"),
        "parameter": ("(formal_parameters [(identifier) (assignment_pattern)] @u)",),
        "attribute": ("(jsx_attribute (property_identifier)) @u",),
    },
    wrappers=_SCRIPT_WRAPPERS,
    bodies=_SCRIPT_BODIES,
)
_TYPED_SCRIPT = _SCRIPT | {
    "class": _types(
        "class_declaration", "abstract_class_declaration", "type_alias_declaration", "enum_declaration"
    ),
    "signature": _types("function_signature", "method_signature", "abstract_method_signature"),
    "field": _types("public_field_definition", "property_signature"),
    "parameter": ("(formal_parameters [(required_parameter pattern: (identifier)) (optional_parameter)] @u)",),
    "member": ("(enum_body (enum_assignment) @u)", "(enum_body (property_identifier) @u)"),
}
_TYPESCRIPT = Language(
    "TypeScript",
    "tree_sitter_typescript",
    "language_typescript",
    once=_TYPED_SCRIPT,
    wrappers=_SCRIPT_WRAPPERS,
    bodies=_SCRIPT_BODIES,
)
_TSX = Language(
    "TypeScript",
    "tree_sitter_typescript",
    "language_tsx",
    once=_TYPED_SCRIPT | {"attribute": ("(jsx_attribute (property_identifier)) @u",)},
    wrappers=_SCRIPT_WRAPPERS,
    bodies=_SCRIPT_BODIES,
)
_JAVA = Language(
    "Java",
    "tree_sitter_java",
    once={
        "method": _types("method_declaration", "constructor_declaration"),
        "class": _types(
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
        ),
        "field": ("(field_declaration (variable_declarator) @u)",),
        "variable": ("(block (local_variable_declaration (variable_declarator) @u))",),
        "parameter": _types("formal_parameter"),
        "member": _types("enum_constant"),
        "import": _types("import_declaration"),
    },
    wrappers=frozenset({"field_declaration", "local_variable_declaration"}),
    overloads=True,
    comments=frozenset({"line_comment", "block_comment"}),
    bodies=frozenset({
        "program", "class_body", "interface_body", "enum_body", "enum_body_declarations", "block",
        "constructor_body", "annotation_type_body", "formal_parameters", "argument_list", "array_initializer",
    }),
)  # fmt: skip
_GO = Language(
    "Go",
    "tree_sitter_go",
    once={
        "function": _types("function_declaration", "method_declaration", "method_elem"),
        "type": _types("type_spec"),
        "field": ("(field_declaration name: (_) @u)",),
        "parameter": ("(parameter_declaration name: (_) @u)",),
        "variable": ("(const_spec name: (_) @u)", "(var_spec name: (_) @u)"),
        "key": ("(keyed_element) @u",),
        "import": _types("import_spec"),
    },
    wrappers=frozenset({
        "field_declaration", "parameter_declaration", "const_spec", "var_spec", "type_declaration",
        "const_declaration", "var_declaration", "import_declaration", "import_spec_list", "var_spec_list",
    }),
    bodies=frozenset({
        "source_file", "field_declaration_list", "interface_type", "statement_list", "literal_value",
        "parameter_list", "argument_list", "import_spec_list", "const_declaration", "var_spec_list",
    }),
)  # fmt: skip
_PHP = Language(
    "PHP",
    "tree_sitter_php",
    "language_php",
    once={
        "function": _types("function_definition", "method_declaration"),
        "class": _types(
            "class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"
        ),
        "field": ("(property_declaration (property_element) @u)", "(const_declaration (const_element) @u)"),
        "parameter": _types("simple_parameter", "property_promotion_parameter"),
        "member": _types("enum_case"),
        "key": ("(array_element_initializer . [(string) (encapsed_string) (integer)] . (_)) @u",),
        "import": (
            "(namespace_use_declaration (namespace_use_clause) @u)",
            "(declaration_list (use_declaration) @u)",
        ),
    },
    wrappers=frozenset({"property_declaration", "const_declaration", "namespace_use_declaration"}),
    bodies=frozenset({
        "program", "declaration_list", "enum_declaration_list", "compound_statement", "formal_parameters",
        "arguments", "array_creation_expression",
    }),
)  # fmt: skip
_RUBY = Language(
    "Ruby",
    "tree_sitter_ruby",
    once={
        "method": _types("method", "singleton_method"),
        "key": ("(hash (pair) @u)",),
        "argument": ("(argument_list (pair) @u)",),
        "constant": ("(body_statement (assignment left: (constant)) @u)",),
    },
    bodies=frozenset({"program", "body_statement", "hash", "array", "method_parameters", "argument_list"}),
)
_C_ONCE: dict[str, tuple[str, ...]] = {
    "function": _types("function_definition"),
    "type": (
        "(struct_specifier body: (_)) @u",
        "(union_specifier body: (_)) @u",
        "(enum_specifier body: (_)) @u",
    ),
    "field": _types("field_declaration"),
    "member": _types("enumerator"),
    "parameter": ("(parameter_declaration declarator: (_)) @u",),
    "import": _types("preproc_include"),
}
_C_WRAPPERS = frozenset({"type_definition", "declaration", "template_declaration"})
_C_BODIES = frozenset({
    "translation_unit", "declaration_list", "field_declaration_list", "enumerator_list", "compound_statement",
    "parameter_list", "argument_list", "initializer_list", "preproc_if", "preproc_ifdef", "linkage_specification",
})  # fmt: skip
_C = Language("C", "tree_sitter_c", once=_C_ONCE, wrappers=_C_WRAPPERS, bodies=_C_BODIES)
_CPP = Language(
    "C++",
    "tree_sitter_cpp",
    once=_C_ONCE | {"type": (*_C_ONCE["type"], "(class_specifier body: (_)) @u")},
    wrappers=_C_WRAPPERS,
    overloads=True,
    bodies=_C_BODIES,
)
_RUST = Language(
    "Rust",
    "tree_sitter_rust",
    once={
        "function": _types("function_item", "function_signature_item"),
        "type": _types("struct_item", "enum_item", "trait_item", "type_item", "mod_item"),
        "constant": _types("const_item", "static_item"),
        "field": _types("field_declaration", "field_initializer"),
        "member": _types("enum_variant"),
        "parameter": ("(parameters (parameter) @u)",),
        "import": _types("use_declaration"),
    },
    comments=frozenset({"line_comment", "block_comment", "attribute_item"}),
    bodies=frozenset({
        "source_file", "declaration_list", "field_declaration_list", "enum_variant_list", "block", "match_block",
        "parameters", "arguments", "field_initializer_list", "use_list", "array_expression",
    }),
)  # fmt: skip
_C_SHARP = Language(
    "C#",
    "tree_sitter_c_sharp",
    once={
        "method": _types("method_declaration", "constructor_declaration"),
        "class": _types("class_declaration", "interface_declaration", "struct_declaration", "enum_declaration"),
        "field": (
            "(property_declaration) @u",
            "(field_declaration (variable_declaration (variable_declarator) @u))",
        ),
        "variable": ("(local_declaration_statement (variable_declaration (variable_declarator) @u))",),
        "parameter": ("(parameter_list (parameter) @u)",),
        "member": _types("enum_member_declaration"),
        "import": _types("using_directive"),
    },
    wrappers=frozenset({"field_declaration", "variable_declaration", "local_declaration_statement"}),
    overloads=True,
    bodies=frozenset({
        "compilation_unit", "declaration_list", "enum_member_declaration_list", "block", "parameter_list",
        "argument_list", "initializer_expression", "accessor_list",
    }),
)  # fmt: skip
_SCALA = Language(
    "Scala",
    "tree_sitter_scala",
    once={
        "method": _types("function_definition", "function_declaration"),
        "class": _types("class_definition", "object_definition", "trait_definition"),
        "field": _types("val_definition", "var_definition"),
        "parameter": _types("class_parameter", "parameter"),
        "import": _types("import_declaration"),
    },
    overloads=True,
    comments=frozenset({"comment", "block_comment"}),
    bodies=frozenset({
        "compilation_unit", "template_body", "enum_body", "block", "parameters", "class_parameters", "arguments",
    }),
)  # fmt: skip
_KOTLIN = Language(
    "Kotlin",
    "tree_sitter_kotlin",
    once={
        "function": _types("function_declaration"),
        "class": _types("class_declaration", "object_declaration"),
        "parameter": _types("class_parameter", "parameter"),
        "member": _types("enum_entry"),
        "import": _types("import"),
    },
    overloads=True,
    comments=frozenset({"line_comment", "block_comment"}),
    bodies=frozenset({
        "source_file", "class_body", "enum_class_body", "block", "class_parameters", "function_value_parameters",
        "value_arguments",
    }),
)  # fmt: skip
_JSON = Language(
    "JSON",
    "tree_sitter_json",
    once={"key": ("(object (pair) @u)",)},
    bodies=frozenset({"document", "object", "array"}),
)
_YAML = Language(
    "YAML",
    "tree_sitter_yaml",
    once={"key": _types("block_mapping_pair", "flow_pair")},
    bodies=frozenset({"block_mapping", "block_sequence", "flow_mapping", "flow_sequence"}),
)
_TOML = Language(
    "TOML",
    "tree_sitter_toml",
    once={"key": _types("pair"), "table": _types("table")},
    bodies=frozenset({"document", "table", "table_array_element", "array", "inline_table"}),
)
_XML = Language(
    "XML",
    "tree_sitter_xml",
    "language_xml",
    once={"attribute": _types("Attribute")},
    comments=frozenset({"Comment"}),
    bodies=frozenset({"content"}),
)
_HTML = Language(
    "HTML",
    "tree_sitter_html",
    once={"attribute": _types("attribute")},
)
_CSS = Language("CSS", "tree_sitter_css", bodies=frozenset({"stylesheet", "block"}))
_BASH = Language(
    "shell",
    "tree_sitter_bash",
    once={"function": _types("function_definition")},
    bodies=frozenset({"program", "compound_statement"}),
)

SUFFIXES: dict[bytes, Language] = {
    suffix: language
    for language, suffixes in (
        (_PYTHON, b".py .pyi"),
        (_JAVASCRIPT, b".js .jsx .mjs .cjs"),
        (_TYPESCRIPT, b".ts .mts .cts"),
        (_TSX, b".tsx"),
        (_JAVA, b".java"),
        (_GO, b".go"),
        (_PHP, b".php"),
        (_RUBY, b".rb .rake .gemspec"),
        (_C, b".c"),
        # A header may be either; C++'s grammar reads C.
        (_CPP, b".h .hh .hpp .hxx .cc .cpp .cxx .cu .cuh .inl .ipp"),
        (_RUST, b".rs"),
        (_C_SHARP, b".cs"),
        (_SCALA, b".scala .sbt .sc"),
        (_KOTLIN, b".kt .kts"),
        (_JSON, b".json .jsonc .json5 .webmanifest"),
        (_YAML, b".yaml .yml .neon"),
        (_TOML, b".toml"),
        (_XML, b".xml .xlf .xliff .xsd .xsl .xslt .svg .csproj .props .targets .vcxproj .resx .config .ui .qrc"),
        (_HTML, b".html .htm .xhtml"),
        (_CSS, b".css"),
        (_BASH, b".sh .bash"),
    )
    for suffix in suffixes.split()
}
"""The language of a path by the end of its name."""

NAMES: dict[bytes, Language] = dict.fromkeys(
    b"rakefile gemfile vagrantfile podfile brewfile fastfile capfile guardfile".split(), _RUBY
)
"""The language of a file without such an end, by its whole name."""

INTERPRETERS: dict[bytes, Language] = {
    b"python": _PYTHON,
    b"ruby": _RUBY,
    b"node": _JAVASCRIPT,
    b"php": _PHP,
    b"bash": _BASH,
    b"sh": _BASH,
    b"dash": _BASH,
    b"ksh": _BASH,
}
"""The language of a script without a known name, by what its first line calls."""

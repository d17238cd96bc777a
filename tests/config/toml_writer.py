"""Writes nested data as TOML in many styles and notes the line of everything it writes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

Path = tuple[str | int, ...]


@dataclass
class TomlWriter:
    """`style` decides between the spellings TOML has for the same data."""

    style: Random
    lines: list[str] = field(default_factory=list)
    written: dict[Path, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def document(self, data: Mapping[str, Any]) -> "TomlWriter":
        self._body((), data)
        return self

    def _note(self, path: Path, shift: int = 1) -> None:
        self.written.setdefault(path, len(self.lines) + shift)

    def _filler(self) -> None:
        self.lines.extend(self.style.choice([[], [], ["# a = 1"], ["", "  # [x]"]]))

    def _body(self, path: Path, table: Mapping[str, Any]) -> None:
        later: list[tuple[str, Any]] = []
        for key, value in table.items():
            if isinstance(value, Mapping) and value and self._plain(value) and self.style.random() < 0.3:
                for inner, item in value.items():
                    self._filler()
                    self._note((*path, key))
                    self._pair((*path, key, inner), f"{self._key(key)} . {self._key(inner)}", item)
            elif (isinstance(value, Mapping) or _is_tables(value)) and self.style.random() < 0.8:
                later.append((key, value))
            else:
                self._filler()
                self._pair((*path, key), self._key(key), value)
        for key, value in later:
            self._tables((*path, key), value)

    @staticmethod
    def _plain(table: Mapping[str, Any]) -> bool:
        return not any(isinstance(value, Mapping | list) for value in table.values())

    def _tables(self, path: Path, value: Any) -> None:
        if isinstance(value, Mapping):
            implied = value and all(isinstance(item, Mapping) and item for item in value.values())
            if implied and self.style.random() < 0.5:
                start = len(self.written)
                for key, item in value.items():
                    self._tables((*path, key), item)
                self.written.setdefault(path, min(list(self.written.values())[start:]))
            else:
                self._filler()
                self._note(path)
                self.lines.append(f"[{self._dotted(path)}]")
                self._body(path, value)
        else:
            for place, item in enumerate(value):
                self._filler()
                self._note(path)
                self._note((*path, place))
                self.lines.append(f"  [[ {self._dotted(path)} ]] # here")
                self._body((*path, place), item)

    def _dotted(self, path: Path) -> str:
        return ".".join(self._key(key) for key in path if isinstance(key, str))

    def _key(self, key: str) -> str:
        bare = key.isascii() and key.replace("-", "a").replace("_", "a").isalnum()
        if bare and self.style.random() < 0.7:
            return key
        if "'" not in key and key.isprintable() and self.style.random() < 0.5:
            return f"'{key}'"
        return _quoted(key)

    def _pair(self, path: Path, key: str, value: Any) -> None:
        self._note(path)
        self.lines.append(f"{key} = ")
        self._value(path, value)

    def _value(self, path: Path, value: Any, *, one_line: bool = False) -> None:
        """Append a value to the last line, beginning more lines if it likes."""
        self._note(path, 0)
        if isinstance(value, Mapping):
            self.lines[-1] += "{ "
            for place, (key, item) in enumerate(value.items()):
                self.lines[-1] += f"{', ' if place else ''}{self._key(key)} = "
                self._value((*path, key), item, one_line=one_line)
            self.lines[-1] += " }"
        elif isinstance(value, list):
            self.lines[-1] += "["
            spread = not one_line and self.style.random() < 0.5
            for place, item in enumerate(value):
                self.lines.extend(["# next", "  "] if spread else [])
                self._value((*path, place), item, one_line=one_line)
                self.lines[-1] += ", "
            self.lines.extend(["]"] if spread else [])
            self.lines[-1] += "" if spread else "]"
        elif isinstance(value, str) and "\n" in value and "\r" not in value and not one_line:
            first, *rest = _quoted(value)[1:-1].replace("\\n", "\n").split("\n")
            self.lines[-1] += f'"""{first}' if first else '"""'  # TOML drops a line break right after """
            self.lines.extend(rest if first else ["", *rest])
            self.lines[-1] += '"""'
        else:
            self.lines[-1] += _scalar(value)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, date):
        return value.isoformat()
    return repr(value)

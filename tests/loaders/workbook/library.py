"""Workbooks that tests are about, written as office programs write them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from openpyxl import Workbook

_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
    for name, long in (("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"))
)


def zipped(path: Path, members: Mapping[str, bytes]) -> Path:
    """An archive of some members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def changed(path: Path, name: str, old: bytes, new: bytes) -> Path:
    """The archive with a part of a member replaced."""
    with zipfile.ZipFile(path) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    assert old in members[name]
    return zipped(path, members | {name: members[name].replace(old, new)})


def saved(path: Path, rows: list[list[object]], formats: Mapping[str, str] | None = None) -> Path:
    """A workbook of one sheet S. formats: number formats by cell."""
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "S"
    for row in rows:
        sheet.append(row)
    for cell, code in (formats or {}).items():
        sheet[cell].number_format = code
    workbook.save(path)
    return path


def ods(path: Path, tables: str, styles: str = "", manifest: str = "<manifest/>") -> Path:
    """An OpenDocument spreadsheet of some tables as XML."""
    content = (
        f"<office:document-content {_NAMESPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    return zipped(path, {"content.xml": content.encode(), "META-INF/manifest.xml": manifest.encode()})


def cell(value: str = "", attributes: str = "", text: str = "") -> str:
    """A cell of an OpenDocument table: a text, or a value of a kind with its attributes."""
    shown = f"<text:p>{text or value}</text:p>" if text or value else ""
    kind = attributes or ('office:value-type="string"' if value else "")
    return f"<table:table-cell {kind}>{shown}</table:table-cell>"


def figure(value: float, kind: str = "float", attributes: str = "") -> str:
    """A cell of an OpenDocument table that holds a figure."""
    return cell(str(value), f'office:value-type="{kind}" office:value="{value}" {attributes}')

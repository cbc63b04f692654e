"""Owns reading XLSX and XLSM workbooks: values by calamine, what it leaves out from the sheet's XML."""

from __future__ import annotations

import posixpath
import re
import warnings as python_warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.values import MAX_CELLS, cell_text
from polyrag_cli.loaders.workbook.formats import BUILTIN, NumberFormat, formatted, number_format
from polyrag_cli.loaders.workbook.sheet import Cells, Range, Sheet, broken

MAX_UNCOMPRESSED = 1 << 29
_BLOCK = 1 << 20
# A cell's formula with no value behind it, as libraries write it that don't calculate.
_UNCALCULATED = re.compile(
    rb"<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_CELL = rb'<(?:\w+:)?c(?=\s)(?=[^>]*\sr="([A-Z]{1,3})(\d{1,7})")'
_ERROR = re.compile(_CELL + rb'(?=[^>]*\st="e")[^>]*>(?:<(?:\w+:)?f[^<]*(?:</(?:\w+:)?f>)?)?<(?:\w+:)?v>([^<]*)')
_UNPLACED = re.compile(rb"<(?:\w+:)?c(?:>|\s(?![^>]*\br=))")
_ROW = re.compile(rb'<(?:\w+:)?row(?=\s)[^>]*\sr="(\d{1,7})"')
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)"')
# Column letters that are looked for, with the number of columns that there may be then.
_BEHIND_Z = re.compile(rb'\sr="[A-Z]{2}')
_WIDTHS = tuple(
    (re.compile(rb'\sr="' + letters + rb"\d"), width)
    for letters, width in ((rb"[A-Z]{3}", 16384), (rb"[E-Z][A-Z]", 702), (rb"[B-D][A-Z]", 130))
)
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


@dataclass(frozen=True, slots=True)
class _Part:
    """A worksheet inside the archive. styles: the number formats of cells that add something to a figure, by index."""

    title: str
    content: bytes
    styles: Mapping[int, NumberFormat]

    @property
    def area(self) -> int:
        """How many cells the sheet may span at most."""
        last = self.content.rfind(b"row ")
        numbers = _ROW.findall(self.content, max(0, self.content.rfind(b"<", 0, max(last, 0))))
        height = max((int(number) for number in numbers), default=self.content.count(b"<row"))
        if not _BEHIND_Z.search(self.content):
            return height * 26
        return height * next((width for letters, width in _WIDTHS if letters.search(self.content)), 52)

    @property
    def merged(self) -> tuple[Range, ...]:
        corners = _MERGED.findall(self.content) if b"mergeCell" in self.content else ()
        return tuple((int(top) - 1, _column(left), int(end) - 1, _column(right)) for left, top, right, end in corners)


def xlsx_sheets(path: Path) -> Iterator[Sheet]:
    """The worksheets with their cached values; formulas are never run.

    Raises LoadError for what is no workbook, or for more than it may hold unpacked.
    """
    parts = _parts(path)
    import python_calamine

    cells = Cells(path.name)
    try:
        # By a path, it would go by the name's ending.
        with path.open("rb") as file, python_calamine.CalamineWorkbook.from_filelike(file) as workbook:
            for meta in workbook.sheets_metadata:
                part = parts.get(meta.name)
                if part is None:
                    continue
                if part.area > 4 * MAX_CELLS or (part.styles and _UNPLACED.search(part.content)):
                    # Calamine lays out every cell between the first and the last.
                    texts: Iterable[list[str]] = _streamed(path, meta.name)
                else:
                    texts = _with_formats(_values(workbook.get_sheet_by_name(meta.name)), part)
                rows, warnings = cells.rows(meta.name, texts)
                hidden = meta.visible != python_calamine.SheetVisibleEnum.Visible
                yield Sheet(meta.name, rows, part.merged, hidden, (*warnings, *_uncalculated(part.content)))
    except python_calamine.CalamineError as error:
        raise broken(path.name, error) from error


def _values(sheet: Any) -> Iterable[list[str]]:
    """The rows with the empty columns to their left, which calamine leaves out."""
    _, left = sheet.start or (0, 0)
    for row in sheet.iter_rows():
        yield [*[""] * left, *map(cell_text, row)]


def _with_formats(found: Iterable[list[str]], part: _Part) -> list[list[str]]:
    """The rows with percent signs, currencies and errors, which calamine leaves out."""
    rows = list(found)
    errors = _ERROR.findall(part.content) if b't="e"' in part.content else ()
    for letters, number, error in errors:
        _put(rows, letters, number, error.decode("ascii", "replace"))
    for style, form in part.styles.items():
        styled = re.compile(_CELL + rb'(?=[^>]*\ss="%d")' % style)
        for letters, number in styled.findall(part.content):
            row, column = int(number) - 1, _column(letters)
            if row < len(rows) and column < len(rows[row]):
                rows[row][column] = formatted(rows[row][column], form)
    return rows


def _put(rows: list[list[str]], letters: bytes, number: bytes, text: str) -> None:
    row, column = int(number) - 1, _column(letters)
    if row < len(rows) and column < len(rows[row]):
        rows[row][column] = text


def _uncalculated(content: bytes) -> tuple[str, ...]:
    formulas = sum(1 for _ in _UNCALCULATED.finditer(content)) if b"<f" in content or b":f" in content else 0
    if not formulas:
        return ()
    cells = "1 formula has" if formulas == 1 else f"{formulas} formulas have"
    return (f"{cells} no stored value: open and save the workbook in an office program.",)


def _streamed(path: Path, title: str) -> Iterator[list[str]]:
    """A sheet's rows by openpyxl, which never holds more than one: for sheets that span more than they hold."""
    from openpyxl import load_workbook

    # Opened here, because openpyxl leaves a file open that it fails on.
    with python_warnings.catch_warnings(), path.open("rb") as file:
        # openpyxl warns of features that it drops; none of them holds a value.
        python_warnings.simplefilter("ignore")
        workbook = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        try:
            sheet = workbook[title]
            # The stated dimension may be wrong; without it every stored row is read.
            sheet.reset_dimensions()
            for row in sheet.iter_rows():
                yield [_styled(cell) for cell in row]
        finally:
            workbook.close()


def _styled(cell: Any) -> str:
    text = cell_text(cell.value)
    return formatted(text, number_format(cell.number_format or "")) if text else text


# ---------------------------------------------------------------- the archive
def _parts(path: Path) -> dict[str, _Part]:
    """The worksheets by their titles."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            _check_size(archive, path.name)
            if "[Content_Types].xml" not in names:
                raise LoadError(f"{path.name}: a zip archive, but no workbook.")
            book = _main_part(archive)
            targets = _relations(archive, book)
            styles = _styles(archive, targets)
            sheets = [element for element in _xml(archive, book).iter() if element.tag.endswith("}sheet")]
            if not sheets:
                raise LoadError(f"{path.name}: broken workbook (no sheets).")
            parts = {}
            for sheet in sheets:
                kind, target = targets.get(sheet.get(_RELATION, ""), ("", ""))
                if kind == "worksheet" and target in names:
                    title = sheet.get("name", "")
                    parts[title] = _Part(title, archive.read(target), styles)
            return parts
    except (zipfile.BadZipFile, ValueError) as error:
        if isinstance(error, zipfile.BadZipFile) and "not a zip" in str(error):
            raise LoadError(f"{path.name}: broken workbook (not a zip archive).") from error
        raise


def _check_size(archive: zipfile.ZipFile, name: str) -> None:
    """Raises LoadError when the archive is more than it may be unpacked; BadZipFile when it lies about that."""
    size = sum(entry.file_size for entry in archive.infolist())
    if size > MAX_UNCOMPRESSED:
        raise LoadError(f"{name}: {size >> 20} MB unpacked, more than the limit of {MAX_UNCOMPRESSED >> 20} MB.")
    for entry in archive.infolist():
        if entry.filename.endswith("sharedStrings.xml"):
            with archive.open(entry) as member:
                while member.read(_BLOCK):
                    pass


def _main_part(archive: zipfile.ZipFile) -> str:
    for kind, target in _relations(archive, "").values():
        if kind == "officeDocument":
            return target
    raise LoadError(f"{Path(archive.filename or '').name}: a zip archive, but no workbook.")


def _relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Kind and target of each relation of a part, by its id."""
    folder, name = posixpath.split(part)
    found = {}
    for element in _xml(archive, posixpath.join(folder, "_rels", f"{name}.rels")).iter():
        if element.tag.endswith("}Relationship"):
            target = posixpath.normpath(posixpath.join("/", folder, element.get("Target", ""))).lstrip("/")
            found[element.get("Id", "")] = (posixpath.basename(element.get("Type", "")), target)
    return found


def _styles(archive: zipfile.ZipFile, targets: Mapping[str, tuple[str, str]]) -> dict[int, NumberFormat]:
    """The number formats of cells that add something to a figure, by the index that cells name."""
    part = next((target for kind, target in targets.values() if kind == "styles"), "")
    if part not in archive.namelist():
        return {}
    root = _xml(archive, part)
    codes = dict(BUILTIN)
    for element in root.iter():
        if element.tag.endswith("}numFmt") and element.get("numFmtId", "").isdigit():
            codes[int(element.get("numFmtId", ""))] = element.get("formatCode", "")
    formats = next((element for element in root if element.tag.endswith("}cellXfs")), ())
    numbers = [int(element.get("numFmtId", "0")) for element in formats]
    forms = {index: number_format(codes[number]) for index, number in enumerate(numbers) if number in codes}
    return {index: form for index, form in forms.items() if not form.plain}


def _xml(archive: zipfile.ZipFile, part: str) -> ElementTree.Element:
    return ElementTree.fromstring(archive.read(part))


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1

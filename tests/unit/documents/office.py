"""PDF and DOCX files, written byte by byte, so that tests know all that is in them."""

import zipfile
from collections.abc import Sequence
from io import BytesIO

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
STYLES = (
    f'<w:styles {_W}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>'
)
NUMBERING = (
    f'<w:numbering {_W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">'
    '<w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/></w:lvl>'
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="https://example.com/a"/>'
    '<Relationship Id="r2" Target="javascript:alert(1)"/></Relationships>'
)


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inside: str, settings: str = "") -> str:
    return f"<w:p><w:pPr>{settings}</w:pPr>{inside}</w:p>"


def item(text: str, depth: int = 0) -> str:
    place = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="1"/></w:numPr>'
    return paragraph(run(text), place)


def heading(text: str, level: int = 1) -> str:
    return paragraph(run(text), f'<w:pStyle w:val="H{level}"/>')


def docx(body: str, **parts: str) -> bytes:
    """Return a Word document with these blocks."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        main = f"<w:document {_W} {_R}><w:body>{body}</w:body></w:document>"
        for name, text in {
            "word/document.xml": main,
            "word/styles.xml": STYLES,
            "word/numbering.xml": NUMBERING,
            "word/_rels/document.xml.rels": RELATIONS,
            **parts,
        }.items():
            archive.writestr(name, text)
    return data.getvalue()


def pdf(*pages: Sequence[str]) -> bytes:
    """Return a PDF file with these lines on its pages."""
    objects: list[bytes] = [b"", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids: list[str] = []
    for lines in pages:
        shown = " ".join(f"({_quoted(line)}) Tj 0 -14 Td" for line in lines)
        stream = f"BT /F1 12 Tf 72 720 Td {shown} ET".encode("latin-1")
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"
            b"/Resources<</Font<</F1 3 0 R>>>>>>" % len(objects)
        )
        kids.append(f"{len(objects)} 0 R")
    objects[0] = b"<</Type/Catalog/Pages 2 0 R>>"
    objects[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>".encode()
    data = bytearray(b"%PDF-1.4\n")
    places: list[int] = []
    for number, one in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        start,
    )
    return bytes(data)


def _quoted(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")

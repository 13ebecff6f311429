"""The process that reads a file: `python -m strata.documents.files.convert TYPE < FILE`."""

import sys

import msgspec

from strata.base import limits
from strata.base.errors import StrataError
from strata.documents.files.converting import DOCX, ConvertedFile
from strata.documents.files.docx import docx_markdown
from strata.documents.files.pdf import pdf_markdown


def main() -> None:
    """Read a file from the standard input, and write its text to the standard output as JSON."""
    _bound()
    data, read = sys.stdin.buffer.read(), docx_markdown if sys.argv[1] == DOCX else pdf_markdown
    try:
        text = read(data)
        if len(text.encode(errors="replace")) > limits.DOCUMENT_BYTES_MAX:
            answer = ConvertedFile(error="This file has more text than a document may have.")
        else:
            answer = ConvertedFile(text.encode(errors="replace").decode())
    except StrataError as error:
        answer = ConvertedFile(error=error.message, hint=error.hint)
    sys.stdout.buffer.write(msgspec.json.encode(answer))


def _bound() -> None:
    """Let the system end this process when it uses too much; Windows has no such limits."""
    try:
        import resource  # noqa: PLC0415  (only where there is one)
    except ImportError:
        return
    seconds = int(limits.FILE_READ_S)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    most = limits.FILE_READ_BYTES_MAX
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()

"""The PDF of a report: its text, its fonts, and what is said where something that it needs is missing."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

from dashboard.report.pdf import NoPdf, pdf

pytest.importorskip("weasyprint", reason="the extra `pdf` is not installed", exc_type=ImportError)
PAGE = "<html lang='zh'><body><h1>执行摘要</h1><p>本期合入 3 个 PR。</p></body></html>"
ALONE = "import sys; from dashboard.report.pdf import pdf; sys.stdout.buffer.write(pdf(sys.argv[1])[:5])"


def alone(page, *, before="", **environment):
    """In a process of its own, since fonts and libraries are looked for once."""
    return subprocess.run(
        [sys.executable, "-c", before + ALONE, page],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def test_the_same_page_gives_the_same_bytes():
    assert pdf(PAGE)[:5] == b"%PDF-"
    assert pdf(PAGE) == pdf(PAGE)


def test_a_machine_without_a_font_for_chinese_is_told_so(tmp_path):
    (tmp_path / "fonts.conf").write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f"<dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>{tmp_path}</cachedir></fontconfig>"
    )
    found = alone(PAGE, FONTCONFIG_FILE=str(tmp_path / "fonts.conf"))
    assert "No font of this machine has Chinese characters" in found.stderr.splitlines()[-1]


def test_a_machine_without_the_extra_or_pango_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(NoPdf, match=r"pip install 'merge-window\[pdf\]'"):
        pdf(PAGE)
    found = alone(PAGE, before="import ctypes.util, cffi\ndef no(*_): raise OSError('cannot load library')\n"
                  "cffi.FFI.dlopen = no\n")  # fmt: skip
    assert "apt install libpango-1.0-0" in found.stderr.splitlines()[-1]

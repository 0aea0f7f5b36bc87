"""The report as PDF, made of the same HTML as the file for the browser."""

from data.errors import MergeWindowError

_IDEOGRAPHS = range(0x3400, 0xA000)


class NoPdf(MergeWindowError):
    """This machine lacks what makes a PDF."""


def pdf(page: str) -> bytes:
    """A page of HTML for print; the same page gives the same bytes.

    Args:
        page: as `html.page` gives it.

    Raises:
        NoPdf: the extra, its system library, or a font for Chinese is not installed.
    """
    try:
        from weasyprint import HTML
    except ModuleNotFoundError as error:
        raise NoPdf("PDF needs an extra. Run: pip install 'merge-window[pdf]'") from error
    except OSError as error:
        raise NoPdf(
            f"PDF needs the system library Pango, which is not there ({error}). On Debian or Ubuntu: apt install"
            " libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
        ) from error
    document = HTML(string=page).render()
    made: bytes = document.write_pdf()
    missing = {sign for font in document.fonts.values() for sign in font.missing}
    if any(sign in _IDEOGRAPHS for sign in missing):
        raise NoPdf("No font of this machine has Chinese characters. On Debian or Ubuntu: apt install fonts-noto-cjk")
    return made

"""Small steps between frames and plain Python."""

from typing import Any

import pandas as pd


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The frame as one dict a row, column -> value."""
    return [{str(column): value for column, value in row.items()} for row in frame.to_dict("records")]

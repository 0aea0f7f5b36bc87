"""GitHub, git clones and `gh` exports in; a SQLite cache; typed frames out."""

"""Frames in, frames or text out: what a pull request is, and what a window of them means."""

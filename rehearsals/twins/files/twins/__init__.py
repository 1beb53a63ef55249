"""Finds files with equal content below a folder."""

__version__ = "1.0.0"

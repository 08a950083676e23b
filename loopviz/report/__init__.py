"""A run as one HTML file that opens from disk: what is in it, how it looks, and what of the run stays out of it.

A report is made in three steps: what may leave (`release`), what it says (`document`, plain data), and how that looks
(`page`). Nothing here reads a file or a clock; the same run, settings and date give the same bytes.
"""

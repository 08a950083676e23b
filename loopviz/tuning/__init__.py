"""Choosing settings on the evidence of many runs: what each setting would say, and how that fits what people say.

Nothing here draws, prints or opens a page; labels alone are read from and written to a file, by `loopviz.tuning.files`.
"""

"""Following a run that is still being written: only what is new is read, and every answer is that of `grade`."""

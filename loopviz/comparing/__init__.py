"""Two runs, one run under two settings, or two sets of runs, held beside each other: what is the same, what is not."""
